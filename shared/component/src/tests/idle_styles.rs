//! Tests that code says only what has an effect in the section, with the names that people give values.

use super::states::classes;

/// Asserts that the classes of a component have a utility, or that they lack it.
#[track_caller]
pub(super) fn assert_classes(cases: &[(&str, &str, &str, bool)]) {
    for (body, css, utility, is_there) in cases {
        let code = classes(&format!("<h1>Words on a page</h1>{body}"), css);
        let found = code.split(['"', ' ', '\n']).any(|class| class == *utility);
        assert_eq!(found, *is_there, "{utility} of {body} with {css}: {code}");
    }
}

#[test]
fn positions_that_nothing_refers_to_are_left_out() {
    const BOX: &str = "<div class=r><p>Words</p></div>";
    const HOLDER: &str = "<div class=r><p>Words</p><i class=a>x</i></div>";
    const COVERED: &str = "<i class=a>x</i><div class=r><p>Words</p></div>";
    const CLIPPED: &str = "<div class=c><i class=a>x</i></div><div class=r><p>Words</p></div>";
    const SHADED: &str = "<div class=r><b class=r><i class=a>x</i></b></div>";
    assert_classes(&[
        (BOX, ".r{position:relative;color:red}", "relative", false),
        (BOX, ".r{position:relative;top:0;color:red}", "top-0", false),
        (BOX, ".r{position:relative;top:4px}", "relative", true),
        (BOX, ".r{position:relative;z-index:1;color:red}", "relative", false),
        (COVERED, ".r{position:relative;z-index:1} .a{position:absolute;top:0}", "relative", true),
        (BOX, ".r{position:relative} .r:hover{top:-2px}", "relative", true),
        (BOX, ".r{position:relative} .r::before{content:'x';position:absolute;top:0}", "relative", true),
        (BOX, ".r{position:relative} @media(min-width:800px){.r{position:absolute;top:0}}", "relative", true),
        (BOX, ".r{transform:translateY(0);color:red}", "translate-y-0", false),
        (
            BOX,
            ".r{transform:translateY(0);transition:.2s} .r:hover{transform:translateY(-2px)}",
            "hover:-translate-y-0.5",
            true,
        ),
        (HOLDER, ".r{position:relative} .a{position:absolute;top:0}", "relative", true),
        (HOLDER, ".r{position:relative} .r:hover .a{position:absolute}", "relative", true),
        (COVERED, ".r{position:relative} .a{position:absolute;top:0}", "relative", true),
        (BOX, ".r::before{content:'x';position:absolute} .r,.r p{position:relative}", "relative", true),
        (COVERED, ".r{position:relative} .a{position:absolute;width:1px;height:1px}", "relative", false),
        (COVERED, ".r{position:relative} .a{transform:scale(2);display:block}", "relative", true),
        (COVERED, ".r{position:relative} .a:hover{transform:scale(2)}", "relative", true),
        (COVERED, ".r{position:relative} .a{display:block;margin-bottom:-9px}", "relative", true),
        (
            CLIPPED,
            ".r{position:relative} .c{position:absolute;overflow:hidden} .a{position:absolute}",
            "relative",
            true,
        ),
    ]);
    let code = classes(
        &format!("<h1>Words on a page</h1>{CLIPPED}"),
        ".r,.c{position:relative} .c{overflow:hidden} .a{position:absolute;inset:0}",
    );
    assert_eq!(code.matches("relative").count(), 1, "what is clipped covers nothing: {code}");
    let code = classes(
        "<h1>Words on a page</h1><div class=s><i class=a>x</i><div class=r><div class=r><p>Words</p></div></div></div>",
        ".s,.r{position:relative} .a{position:absolute;inset:0}",
    );
    assert_eq!(code.matches("relative").count(), 2, "what is in a box above others is above them: {code}");
    let code = classes(
        &format!("<h1>Words on a page</h1>{SHADED}"),
        ".r{position:relative;display:block;color:red} .a{position:absolute;top:0}",
    );
    assert_eq!(code.matches("relative").count(), 1, "the nearer one is the containing block: {code}");
}

#[test]
fn clearfixes_without_floats_are_left_out() {
    const ROW: &str = "<div class=r><p>Words</p></div>";
    const FIX: &str = ".r::before,.r::after{content:' ';display:table} .r::after{clear:both} p{margin:0}";
    let with = |more: &str| format!("{FIX}{more}");
    assert_classes(&[
        (ROW, FIX, "after:table", false),
        (ROW, FIX, "before:table", false),
        (ROW, &with("p{float:left}"), "after:clear-both", false),
        (ROW, &with("p{float:left}"), "flow-root", true),
        (ROW, &with("p{margin:8px 0}"), "flow-root", true),
        (ROW, &with("p{margin:8px 0} .r{padding:1px}"), "after:table", false),
        (ROW, &with(".r{display:flex;justify-content:space-between}"), "after:table", true),
        (ROW, &with(".r::after{border-top:1px solid}"), "after:table", true),
        (ROW, &with(".r:hover::after{content:'x'}"), "after:table", true),
        (ROW, "p{clear:both}", "clear-both", false),
        ("<b>x</b><p>Words</p>", "b{float:left} p{clear:both}", "clear-both", true),
    ]);
}

#[test]
fn pseudo_elements_that_show_nothing_are_left_out() {
    const CARD: &str = "<div class=r><p>Words</p></div>";
    let layer = |more: &str| format!(".r::before{{content:'';position:absolute;inset:0;pointer-events:none;{more}}}");
    assert_classes(&[
        (CARD, &layer(""), "before:absolute", false),
        (CARD, &layer("background:red"), "before:absolute", true),
        (
            CARD,
            ".r::before{content:'';display:block;position:sticky;top:0;height:9px;pointer-events:none}",
            "before:sticky",
            true,
        ),
        (CARD, &layer("pointer-events:auto"), "before:absolute", false),
        ("<a class=r href=/x>Words</a>", &layer("pointer-events:auto"), "before:absolute", true),
        (CARD, &layer("background:red;opacity:0"), "before:absolute", false),
        (
            CARD,
            &format!("{} .r:hover::before{{opacity:1}}", layer("background:red;opacity:0")),
            "before:absolute",
            true,
        ),
        (
            CARD,
            &format!("{} @media(min-width:800px){{.r::before{{opacity:.5}}}}", layer("background:red;opacity:0")),
            "before:absolute",
            true,
        ),
        (CARD, ".r::before{content:'x';display:none;color:red}", "before:hidden", false),
        (
            CARD,
            ".r::before{content:'x';color:red} @media(max-width:500px){.r::before{display:none}}",
            "before:text-[#f00]",
            true,
        ),
        (CARD, &format!("{} .r:hover::before{{background:red}}", layer("")), "before:absolute", true),
    ]);
}

#[test]
fn inherited_values_that_nothing_reads_are_left_out() {
    const CARD: &str = "<div class=r><p>Words</p></div>";
    let green =
        |more: &str| format!("p{{color:red;letter-spacing:1px;font-size:20px}} .r{{color:#008000;padding:1px}} {more}");
    let utility = "text-[#008000]";
    assert_classes(&[
        (CARD, &green(""), utility, false),
        (CARD, ".r{letter-spacing:2px} p{letter-spacing:1px}", "tracking-[2px]", false),
        (CARD, ".r{font-size:30px} p{font-size:20px;margin:0}", "text-[30px]", false),
        (CARD, ".r{font-family:A,B,serif} p{font-family:A,B}", "font-[A,B]", false),
        (CARD, ".r{font-family:A,serif} p{font-family:A}", "font-[A]", true),
        (CARD, "p{text-align:left}", "text-left", false),
        (CARD, "p{text-align:left;direction:rtl}", "text-left", true),
        ("<div style='text-align:center'><p>Words</p></div>", "p{text-align:left}", "text-left", true),
        // What reads it: text, a line, a border, a shadow, an icon, a marker, a generated text, a relative value, a state.
        ("<div class=r>A<p>Words</p></div>", &green(""), utility, true),
        (CARD, ".r{font-size:30px} p{font-size:2em;margin:0}", "text-[30px]", true),
        (CARD, ".r{font-size:30px;padding:1em} p{font-size:20px;margin:0}", "text-[30px]", true),
        (CARD, &green(".r{border:1px solid}"), utility, true),
        (CARD, &green(".r{border:1px solid red}"), utility, false),
        (CARD, &green(".r{box-shadow:0 0 2px}"), utility, true),
        (CARD, &green(".r::before{content:'x'}"), utility, true),
        (CARD, &green(".r::before{content:'';display:block;height:9px;background:red}"), utility, false),
        (CARD, &green(".r::before{content:'';display:block;border-top:9px solid}"), utility, true),
        (CARD, &green(".r::selection{background:red}"), utility, false),
        (CARD, &green("p:hover{color:inherit}"), utility, true),
        (CARD, &green("p{color:inherit}"), utility, true),
        (
            "<div class=r><svg viewBox='0 0 1 1'><path fill=currentColor d='M0 0h1v1z'/></svg></div>",
            &green(""),
            utility,
            true,
        ),
        ("<div class=r><svg viewBox='0 0 1 1'><path d='M0 0h1v1z'/></svg></div>", &green(""), utility, false),
        ("<ul><li class=r><p>Words</p></li></ul>", &green("li{list-style:disc}"), utility, true),
        (CARD, &green("@media(min-width:700px){p{color:inherit}}"), utility, true),
    ]);
}

#[test]
fn values_that_say_what_holds_in_any_case_are_left_out() {
    const FLEX: &str = "<div class=f><p>Words</p></div>";
    const IMAGE: &str = "<a class=f href=/><img src=a.png alt=Words></a>";
    assert_classes(&[
        (FLEX, ".f{display:flex} p{min-width:0;min-height:0}", "min-w-0", true),
        (FLEX, ".f{display:flex} p{min-width:0;min-height:0}", "min-h-0", false),
        (FLEX, ".f{display:flex;flex-direction:column} p{min-width:0;min-height:0}", "min-h-0", true),
        (FLEX, ".f{display:flex;flex-direction:column} p{min-width:0;min-height:0}", "min-w-0", false),
        (FLEX, ".f{display:grid} p{min-width:0}", "min-w-0", true),
        (FLEX, ".f{display:flex;justify-content:flex-start}", "justify-start", false),
        (FLEX, ".f{display:grid;justify-content:flex-start}", "justify-start", true),
        (
            FLEX,
            ".f{display:flex;justify-content:center} @media(min-width:768px){.f{justify-content:flex-start}}",
            "max-md:justify-center",
            true,
        ),
        (FLEX, ".f{display:grid;grid-template-columns:1fr 1fr} p{grid-area:span 1/span 1}", "col-span-1", false),
        (FLEX, ".f{display:grid;grid-template-columns:1fr 1fr} p{grid-column:span 2}", "col-span-2", true),
        (FLEX, "p{text-shadow:0 0 transparent,0 0 rgba(0,0,0,0)}", "text-shadow-none", false),
        (FLEX, "p{max-width:99999px}", "max-w-[99999px]", false),
        (FLEX, "p{max-width:900px}", "max-w-225", true),
        (FLEX, "p{margin:0%}", "m-[0%]", false),
        (FLEX, "p{-webkit-tap-highlight-color:transparent}", "[-webkit-tap-highlight-color:transparent]", false),
        (FLEX, ".f{min-height:1px}", "min-h-px", false),
        (FLEX, ".f{min-height:1px} p{position:absolute}", "min-h-px", true),
        (FLEX, ".f{min-height:1px} p{float:left}", "min-h-px", true),
        (FLEX, ".f{display:flex;flex-direction:column} p{min-height:1px}", "min-h-px", true),
        (FLEX, "p:hover{border-style:none}", "hover:border-none", false),
        (FLEX, "p{border:1px solid} p:hover{border-style:none}", "hover:border-none", true),
        (FLEX, ".f{container:card/inline-size}", "@container/card", false),
        (FLEX, ".f{container:card/inline-size} p{width:50cqw}", "@container/card", true),
        (
            FLEX,
            ".f{position:relative;overflow:hidden;content-visibility:auto;contain-intrinsic-size:9px}",
            "[content-visibility:auto]",
            false,
        ),
        (FLEX, ".f{content-visibility:auto}", "[content-visibility:auto]", true),
        (FLEX, "p{backface-visibility:hidden}", "backface-hidden", false),
        (FLEX, "p{backface-visibility:hidden;transform:rotateY(180deg)}", "backface-hidden", true),
        (FLEX, ".f{transform-style:preserve-3d} p{backface-visibility:hidden}", "backface-hidden", true),
        (
            FLEX,
            "@media(prefers-reduced-motion){*{transition-duration:.01ms}}",
            "motion-reduce:duration-[0.01ms]",
            false,
        ),
        (IMAGE, "img{text-decoration:line-through;text-align:center}", "line-through", false),
        (IMAGE, ".f{display:block;text-decoration:line-through}", "line-through", true),
        (IMAGE, "img{width:100%;max-width:none}", "max-w-none", false),
        (IMAGE, "img{width:900px;max-width:none}", "max-w-none", true),
    ]);
    let code = classes(
        FLEX,
        "p{transition:color .3s} p:hover{color:red} @media(prefers-reduced-motion){p{transition-duration:.01ms}}",
    );
    assert!(code.contains("motion-reduce:"), "the transition ends at once: {code}");
}

#[test]
fn values_have_the_names_that_people_give_them() {
    const WORDS: &str = "<div class=f><p>Words</p></div>";
    const BUTTON: &str = "<button class=b>Send</button>";
    assert_classes(&[
        ("<img src=a.png alt=x>", "img{width:60px;height:60px;border-radius:50%;max-width:none}", "rounded-full", true),
        (
            "<img src=a.png alt=x>",
            "img{width:60px;height:60px;border-radius:50%;max-width:40px}",
            "rounded-full",
            false,
        ),
        (WORDS, "p{background:linear-gradient(180deg,#d3f2e3,#c6ffe4)}", "bg-linear-to-b/srgb", true),
        (WORDS, "p{background:linear-gradient(180deg,#d3f2e3,#c6ffe4)}", "from-[#d3f2e3]", true),
        (WORDS, ".f{line-height:1.6} p{font-size:12px}", "text-xs/[1.6]", true),
        (WORDS, ".f{line-height:24px} p{font-size:12px}", "text-xs/6", true),
        (WORDS, ".f{line-height:1.6em} p{font-size:12px}", "text-[12px]", true),
        (BUTTON, ".b{cursor:pointer} :disabled{cursor:default}", "disabled:cursor-default", false),
        (BUTTON, ".b{cursor:pointer} :disabled{cursor:not-allowed}", "disabled:cursor-not-allowed", true),
        (
            WORDS,
            ".f{-webkit-font-smoothing:antialiased} p{-webkit-font-smoothing:subpixel-antialiased}",
            "subpixel-antialiased",
            true,
        ),
    ]);
}

#[test]
fn faces_of_one_file_are_one() {
    let face = |weight: u32, file: &str| {
        format!("@font-face{{font-family:Own;font-weight:{weight};src:url(/{file}.woff2) format('woff2')}}")
    };
    let body = "<h1>Words on a page</h1><p>Words</p><b>Words</b>";
    let css = |files: [&str; 2]| format!("{}{}*{{font-family:Own}}", face(400, files[0]), face(700, files[1]));
    let one = classes(body, &css(["own", "own"]));
    assert_eq!((one.matches("@font-face").count(), one.matches("font-weight: 400 700;").count()), (1, 1), "{one}");
    let two = classes(body, &css(["own", "bold"]));
    assert_eq!(two.matches("@font-face").count(), 2, "{two}");
}

#[test]
fn values_that_do_as_little_as_the_initial_ones_are_left_out() {
    const TWO: &str = "<div class=r><p>Words</p><p>More</p></div>";
    const LINK: &str = "<p class=r><a href=/x>Words</a></p>";
    const LIST: &str = "<ul class=r><li>Words</li></ul>";
    assert_classes(&[
        (TWO, ".r{display:flex;gap:0}", "gap-0", false),
        (TWO, ".r{display:flex;gap:0} @media(min-width:768px){.r{gap:8px}}", "md:gap-2", true),
        (TWO, ".r{columns:2;column-gap:0}", "gap-x-0", true),
        (TWO, ".r{box-shadow:0 0 0 0 red;color:red}", "shadow-[0_0_0_0_#f00]", false),
        (TWO, ".r{list-style:disc;color:red}", "list-disc", false),
        (LIST, ".r{list-style:square}", "list-[square]", true),
        (LINK, ".r{text-underline-offset:4px} a{text-decoration:none}", "underline-offset-4", false),
        (LINK, ".r a{text-underline-offset:4px;text-decoration:underline}", "underline-offset-4", true),
        (TWO, ".r{fill:red}", "fill-[#f00]", false),
        (TWO, ".r{counter-reset:notes}", "[counter-reset:notes]", false),
        (TWO, ".r p{scroll-margin-top:8px}", "scroll-mt-2", false),
        (TWO, ".r{text-rendering:optimizeLegibility}", "[text-rendering:optimizeLegibility]", false),
        (TWO, ".r{border-radius:0%}", "rounded-[0%]", false),
    ]);
}

#[test]
fn levels_in_the_order_of_the_document_are_left_out() {
    const GROUND_FIRST: &str = "<div class=s><i class=a>x</i><div class=r><p>Words</p></div></div><p>End</p>";
    const GROUND_LAST: &str = "<div class=s><div class=r><p>Words</p></div><i class=a>x</i></div><p>End</p>";
    const MENU: &str = "<div class=s><b class=m>x</b><i class=a>x</i><div class=r>Words</div></div>";
    const LEVELS: &str =
        ".s{position:relative} .a{position:absolute;inset:0;z-index:0} .r{position:relative;z-index:10}";
    let with = |css: &str| format!("{LEVELS} {css}");
    let hovered = with(".r:hover{z-index:20}");
    let blended = with(".r{mix-blend-mode:multiply}");
    let lifted = ".s{position:relative} .a{position:absolute;inset:0;z-index:1} .a:hover{opacity:.5} .r{z-index:2}";
    let on_phones = with("@media(max-width:600px){.a{z-index:11}}");
    let below = with(".a{z-index:-1}");
    let around = with(".s{z-index:3}");
    let shown = with(".m{position:absolute;z-index:5;display:none} .s:hover .m{display:block}");
    let in_place = ".s{position:relative} .r{position:relative;z-index:2} .t{position:relative;z-index:1}";
    let in_cells = ".s{display:grid} .r,.t{position:relative;grid-area:1/1} .r{z-index:2} .t{z-index:1}";
    let pulled = ".r{position:relative;z-index:2} .t{position:relative;z-index:1;margin-top:-9px}";
    const ROWS: &str = "<div class=s><div class=r>Words</div><div class=t>Words</div></div>";
    let generated = with(".s::after{content:'';position:absolute;inset:0;z-index:4;background:red}");
    assert_classes(&[
        (GROUND_FIRST, LEVELS, "z-10", false),
        (GROUND_FIRST, LEVELS, "z-0", false),
        (GROUND_FIRST, LEVELS, "relative", true),
        (GROUND_LAST, LEVELS, "z-10", true),
        (GROUND_LAST, LEVELS, "z-0", false),
        (GROUND_FIRST, &hovered, "z-10", true),
        (GROUND_FIRST, &blended, "z-10", true),
        (GROUND_FIRST, lifted, "z-1", false),
        (GROUND_FIRST, &on_phones, "z-10", false),
        (GROUND_FIRST, &on_phones, "z-11", true),
        (GROUND_FIRST, &below, "-z-1", true),
        (GROUND_FIRST, &below, "z-10", false),
        (GROUND_FIRST, &around, "z-3", false),
        (GROUND_LAST, &around, "z-3", true),
        (MENU, &shown, "z-5", true),
        (ROWS, in_place, "z-2", false),
        (ROWS, in_cells, "z-2", true),
        (ROWS, pulled, "z-2", true),
        (GROUND_FIRST, &generated, "z-10", true),
        (GROUND_FIRST, &with(".s::after{content:'';position:absolute;inset:0;background:red}"), "z-10", true),
    ]);
}
