//! Tests sections whose contents a script or an animation shows, and contents that are streamed.

use super::{ask_for, ask_of, page_of, texts};
use limner_types::{Framework, Theme};
use serde_json::Value;

const FOOTER: &str = "<footer>A firm on the quay that repairs and stores boats of up to fourteen metres, all year round, \
                      and paints them in a heated hall.</footer>";

fn hero(css: &str, inner: &str, framework: Framework) -> Value {
    let nav = "<header><nav><a href=/a>Boats</a> <a href=/b>Prices</a> <a href=/c>Contact</a></nav></header>";
    let html = format!("<!doctype html><body>{nav}<main><section class=top>{inner}</section></main>{FOOTER}");
    ask_for(&page_of(html, css), None, Theme::Light, framework).unwrap()
}

/// Returns code and CSS.
fn written(result: &Value) -> String {
    format!("{} {}", result["code"].as_str().unwrap(), result["css"].as_str().unwrap_or_default())
}

#[test]
fn elements_that_an_entrance_shows_are_visible_in_components() {
    let css = "h1{font-size:50px} .wow{visibility:hidden} [data-aos]{opacity:0;transition:opacity .6s,transform .6s}
               [data-aos=zoom-in]{transform:scale(.6)} .later{opacity:0;transform:translateY(20px)}
               .later.in{opacity:1;transform:none} .go:hover{transform:scale(1.1)}";
    let inner =
        "<h1 class=wow>Boats that last</h1><p style='opacity:0;transform:translateY(20px)'>Repairs and paint</p>
                 <div data-aos=zoom-in><p>On the quay</p></div><a class='go later' href=/go>Talk to us</a>";
    for framework in [Framework::Html, Framework::Tailwind, Framework::Jsx, Framework::Vue] {
        let result = hero(css, inner, framework);
        let written = written(&result);
        assert!(written.contains("Boats that last") && written.contains("Talk to us"), "{written}");
        for start in ["opacity: 0", "opacity-0", "invisible", "hidden", "translate", "scale(0.6)", "scale-60"] {
            assert!(!written.contains(start), "{framework}: {start} in {written}");
        }
        let grows = if framework == Framework::Html { "scale(1.1)" } else { "hover:" };
        assert!(written.contains(grows), "{framework}: {written}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{framework}");
    }
}

/// An entrance that CSS alone plays stays one.
#[test]
fn components_keep_entrances_of_their_own() {
    let css = "h1{font-size:50px;opacity:0;animation:rise 1s forwards} @keyframes rise{to{opacity:1}}";
    let written = written(&hero(css, "<h1>Boats that last</h1><p>Repairs and paint</p>", Framework::Html));
    assert!(written.contains("opacity: 0") && written.contains("@keyframes"), "{written}");
}

#[test]
fn elements_that_wait_for_the_visitor_stay_hidden_in_components() {
    let css =
        "h1{font-size:50px} .card .more{opacity:0} .card:hover .more{opacity:1} .tip{position:absolute;opacity:0}";
    let inner =
        "<h1>Boats that last</h1><div class=card>A boat<b class=more>More</b><i class='tip tooltip'>Tip</i></div>";
    let written = written(&hero(css, inner, Framework::Html));
    assert_eq!(written.matches("opacity: 0").count(), 2, "{written}");
}

#[test]
fn streamed_section_is_in_its_place() {
    let html = format!(
        "<!doctype html><body><header><a href=/>Boats</a></header><main><!--$?--><template id=B:0></template>\
         <p>Loading…</p><!--/$--></main>{FOOTER}<div hidden id=S:0><section class=top><h1>Trips by boat</h1>\
         <p>Every day at nine, with a crew of three.</p><a class=go href=/b>Book a trip</a></section></div>\
         <script>$RC('B:0','S:0')</script>"
    );
    let result = ask_of(&page_of(html, "h1{font-size:50px}"), None, Theme::Light).unwrap();
    assert_eq!(result["selector"].as_str().map(|selector| selector.contains("S:0")), Some(false));
    assert_eq!(texts(result["code"].as_str().unwrap(), "h1"), ["Trips by boat"]);
}

/// HTML that a server rendered for Nuxt, SvelteKit or Astro is read as it is: payloads, comments and islands are none of
/// the page's contents.
#[test]
fn server_html_of_frameworks_is_read() {
    let nav = "<header><a href=/>Boats</a></header>";
    let hero = "<section class=top><h1>Trips by boat</h1><p>Every day at nine, with a crew of three.</p><a class=go href=/b>Book</a></section>";
    for html in [
        format!(
            "<body><div id=__nuxt><!--[--><div><!--[-->{nav}<main>{hero}</main>{FOOTER}<!--]--></div><!--]--></div><div id=teleports></div>\
             <script type=application/json id=__NUXT_DATA__ data-ssr=true>[[\"ShallowReactive\",1],{{\"data\":2}}]</script>\
             <script>window.__NUXT__={{}};window.__NUXT__.config={{public:{{}}}}</script>"
        ),
        format!(
            "<body data-sveltekit-preload-data=hover><div style='display: contents'><!--[--><!--[0-->{nav} <main><!--[-->{hero}<!--]--></main> {FOOTER}<!--]--> <!--[-1--><!--]--><!--]-->\
             <script>{{__sveltekit_1x={{base:\"\"}};const element=document.currentScript.parentElement;Promise.all([]).then(([kit])=>kit.start(element))}}</script></div>"
        ),
        format!(
            "<body>{nav}<style>astro-island,astro-slot{{display:contents}}</style><script>(()=>{{customElements.define('astro-island',class{{}})}})()</script>\
             <main><astro-island uid=Z1 component-url=/_astro/Hero.js component-export=default renderer-url=/_astro/client.js \
             props='{{&quot;title&quot;:[0,&quot;Trips&quot;]}}' ssr client=load opts='{{}}' await-children>{hero}<!--astro:end--></astro-island></main>{FOOTER}"
        ),
        format!(
            "<body>{nav}<main><section class=top><h1>Trips by boat</h1><astro-island uid=Z2 ssr client=visible><p>Every day at nine, with a crew of three.</p>\
             <template data-astro-template>Later</template><!--astro:end--></astro-island><a class=go href=/b>Book</a></section></main>{FOOTER}"
        ),
    ] {
        for framework in [Framework::Html, Framework::Jsx] {
            let page = page_of(format!("<!doctype html>{html}"), "astro-island{display:contents} h1{font-size:50px}");
            let result = ask_for(&page, None, Theme::Light, framework).unwrap();
            let code = result["code"].as_str().unwrap();
            assert!(
                code.contains("Trips by boat") && code.contains("crew of three") && code.contains("Book"),
                "{code}"
            );
            for foreign in ["NUXT", "sveltekit", "_astro", "props", "[0", "Later", "Boats"] {
                assert!(!code.contains(foreign), "{foreign} in {code}");
            }
            assert_eq!(result["hint"], Value::Null, "{html}");
        }
    }
}
