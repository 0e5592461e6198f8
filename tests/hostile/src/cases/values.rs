//! Values: nested functions, long lists.

use super::{BRAND, FONTS, TOKENS};
use crate::case::{Case, comma_repeated, nested, repeated};
use crate::page::Page;
use crate::subject::CODE;

/// Functions in functions, with the declaration they stand in and the core.
const NESTED: &[(&str, &str, &str, &str)] = &[
    ("rgb-from", "color:{value}", "rgb(from {inner} r g b)", "red"),
    ("hsl-from", "color:{value}", "hsl(from {inner} h s calc(l*1))", "red"),
    ("oklch-from", "color:{value}", "oklch(from {inner} l c h / alpha)", "red"),
    ("color-from", "color:{value}", "color(from {inner} srgb r g b)", "red"),
    ("color-mix", "color:{value}", "color-mix(in oklab,{inner} 50%,blue)", "red"),
    ("color-mix-second", "color:{value}", "color-mix(in srgb,red,{inner})", "blue"),
    ("light-dark", "color:{value}", "light-dark({inner},blue)", "red"),
    ("light-dark-second", "background:{value}", "light-dark(red,{inner})", "blue"),
    ("contrast", "color:{value}", "contrast-color({inner})", "red"),
    ("env", "margin:{value}", "env(nope,{inner})", "1px"),
    ("attr", "width:{value}", "attr(data-x px,{inner})", "1px"),
    ("clamp", "width:{value};font-size:{value};line-height:{value}", "clamp(1px,{inner},9px)", "2px"),
    ("clamp-ends", "width:{value}", "clamp({inner},2px,9px)", "2px"),
    ("min-max", "width:{value}", "min({inner},max(1px,2px))", "2px"),
    ("calc", "width:{value};margin:{value}", "calc({inner})", "1px"),
    ("calc-product", "width:{value};opacity:{value}", "calc(({inner})*1)", "1"),
    ("calc-sum", "width:{value}", "calc(1px + {inner})", "1em"),
    ("calc-quotient", "width:{value}", "calc(({inner})/2)", "1px"),
    ("round", "width:{value}", "round(up,{inner},1px)", "2.5px"),
    ("pow", "opacity:{value};flex-grow:{value}", "pow({inner},1)", ".5"),
    ("hypot", "width:{value}", "hypot({inner},1px)", "3px"),
    ("sin", "opacity:{value}", "sin({inner})", ".5"),
    ("abs", "width:{value}", "abs({inner})", "1px"),
    ("mod", "width:{value}", "mod({inner},3px)", "1px"),
    ("calc-size", "width:{value}", "calc-size({inner},size)", "auto"),
    ("image-set", "background-image:{value}", "image-set({inner} 1x)", "url(a.png)"),
    ("cross-fade", "background-image:{value}", "cross-fade({inner},url(b.png))", "url(a.png)"),
    ("element", "background-image:{value}", "-webkit-canvas({inner})", "a"),
    ("if", "color:{value}", "if(style(--a:b):{inner};else:red)", "blue"),
    ("if-else", "color:{value}", "if(style(--a:b):red;else:{inner})", "blue"),
    ("gradient", "background:{value}", "linear-gradient({inner},blue)", "red"),
    ("minmax", "grid-template-columns:{value}", "minmax(0,{inner})", "1fr"),
    ("repeat", "grid-template-columns:{value}", "repeat(2,{inner})", "1fr"),
    ("fit-content", "width:{value}", "fit-content({inner})", "1px"),
    ("drop-shadow", "filter:{value}", "drop-shadow(1px 1px {inner})", "red"),
    ("translate", "transform:{value}", "translate({inner})", "1px"),
    ("parentheses", "width:{value}", "({inner})", "1px"),
    ("brackets", "grid-template-columns:{value}", "[{inner}]", "a"),
    ("braces", "--x:{value}", "{{inner}}", "a"),
    ("url", "background:{value}", "url({inner})", "a"),
    ("unknown", "width:{value}", "nope({inner})", "1px"),
    ("steps", "transition:{value}", "linear({inner})", "0,1"),
    ("shape", "clip-path:{value}", "polygon({inner})", "0 0"),
];

/// Lists in one declaration.
const LISTED: &[(&str, &str, &str)] = &[
    ("backgrounds", "background:{value}", "url(/a{i}.png) {i}px {i}px/cover no-repeat"),
    ("background-images", "background-image:{value};background-size:{value}", "url(/a{i}.png)"),
    ("background-colors", "background:{value}", "linear-gradient(#{i},red)"),
    ("gradient-stops", "background-image:linear-gradient(90deg,{value})", "#{i} {i}px"),
    ("gradient-hints", "background-image:radial-gradient(circle,{value},red)", "red,{i}%"),
    ("conic-stops", "background-image:conic-gradient({value})", "red {i}deg"),
    ("gradients", "background-image:{value}", "repeating-linear-gradient({i}deg,red {i}px,blue)"),
    ("image-set", "background-image:image-set({value})", "url(/a{i}.png) {i}x"),
    ("box-shadows", "box-shadow:{value}", "{i}px 0 red"),
    ("text-shadows", "text-shadow:{value}", "{i}px 0 red"),
    ("transitions", "transition:{value}", "color {i}ms ease-in"),
    ("transition-parts", "transition-property:{value};transition-duration:1s", "a{i}"),
    ("animations", "animation:{value}", "k{i} 1s"),
    ("masks", "mask:{value}", "url(#m{i})"),
    ("font-families", "font-family:{value}", "F{i}"),
    ("font-families-quoted", "font-family:{value}", "'F {i}'"),
    ("font-features", "font-feature-settings:{value}", "'abcd' {i}"),
    ("font-variations", "font-variation-settings:{value}", "'abcd' {i}"),
    ("will-change", "will-change:{value}", "a{i}"),
    ("polygon", "clip-path:polygon({value})", "{i}px {i}%"),
    ("cursors", "cursor:{value},auto", "url(/c{i}.png)"),
    ("rgb", "color:rgb({value})", "{i}"),
    ("min", "width:min({value})", "{i}px"),
    ("max-units", "width:max({value})", "{i}em,{i}vw,{i}%"),
    ("easing", "transition:all 1s linear({value})", "{i} {i}%"),
    ("color-mix", "color:color-mix(in srgb,{value})", "red {i}%"),
    ("timelines", "scroll-timeline:{value}", "--t{i}"),
];

/// Sequences in one declaration.
const REPEATED: &[(&str, &str, &str)] = &[
    ("transforms", "transform:{value}", "rotate(1deg) translate(1px,{i}px) "),
    ("filters", "filter:{value}", "blur({i}px) "),
    ("contents", "content:{value}", "'abc' open-quote counter(x) attr(y) "),
    ("quotes", "quotes:{value}", "'a' 'b' "),
    ("counters", "counter-reset:{value};counter-increment:{value}", "c{i} {i} "),
    ("calc-sum", "width:calc(1px {value})", "+ {i}px "),
    ("calc-units", "width:calc(1px {value})", "+ {i}px - {i}em + 1% "),
    ("calc-product", "width:calc(1px {value})", "* 1.{i} "),
    ("tracks", "grid-template-columns:{value}", "[l{i}] minmax(1px,{i}fr) "),
    ("tracks-repeated", "grid-template-columns:{value}", "repeat(10,1px) "),
    ("areas", "grid-template-areas:{value}", "'a b c' "),
    ("areas-distinct", "grid-template-areas:{value}", "'a{i} b{i}' "),
    ("area-wide", "grid-template-areas:'{value}'", "a{i} "),
    ("spaces", "margin:1px{value}2px", "  "),
    ("margins", "margin:{value}", "1px "),
    ("path", "clip-path:path('M0 0 {value}')", "l{i} 1a1 1 0 1 0 .1 .1"),
    ("bang", "color:red {value}", "!important "),
    ("identifiers", "container-name:{value}", "n{i} "),
    ("decorations", "text-decoration:{value}", "underline "),
    ("url-long", "background:url('/{value}')", "a/../b{i}"),
    ("string-long", "content:'{value}'", "a{i}\\a "),
    ("identifier-long", "animation-name:{value}", "a{i}"),
    ("number-long", "width:1{value}px", "0{i}"),
    ("fraction-long", "width:1.{value}px", "0{i}"),
];

/// Numbers that grow, in declarations.
const NUMBERS: &[(&str, &str)] = &[
    ("tracks", "display:grid;grid-template-columns:repeat({i},1px);grid-template-rows:repeat({i},[a] 1px [b])"),
    ("lines", "display:grid;grid-area:1/1/{i}/{i}"),
    ("columns", "columns:{i}"),
    ("counters", "counter-reset:a {i};content:counter(a,upper-roman) counter(a,armenian) counter(a,hebrew)"),
    ("clamp", "line-clamp:{i};-webkit-line-clamp:{i}"),
    ("steps", "transition:all 1s steps({i})"),
    ("repeats", "animation:a 1s {i}"),
];

pub(super) fn cases() -> Vec<Case> {
    let subjects = &[CODE, BRAND, TOKENS];
    let page = |declarations: &str, value: &str| {
        let declarations = declarations.replace("{value}", value);
        let css = format!(".hero,h1,h1::before,.btn{{{declarations}}}:root{{--x:{value}}}p{{color:var(--x)}}");
        Page::styled(&css, "<b>x</b>")
    };
    let mut cases = Vec::new();
    for (place, declarations, function, core) in NESTED {
        cases.push(Case::new(format!("values/nested-{place}"), subjects, 6, move |size| {
            page(declarations, &nested(function, core, size))
        }));
    }
    for (place, declarations, item) in LISTED {
        cases.push(Case::new(format!("values/list-of-{place}"), subjects, 200, move |size| {
            page(declarations, &comma_repeated(item, size))
        }));
    }
    for (place, declarations, item) in REPEATED {
        cases.push(Case::new(format!("values/sequence-of-{place}"), subjects, 200, move |size| {
            page(declarations, &repeated(item, size))
        }));
    }
    for (place, declarations) in NUMBERS {
        cases.push(Case::new(format!("values/number-of-{place}"), subjects, 200, move |size| {
            let body = format!("<ol start={size}><li>x</ol><table><td colspan={size} rowspan={size}>x</table>");
            Page::styled(&format!(".hero,.hero::before{{{}}}", declarations.replace("{i}", &size.to_string())), &body)
        }));
    }
    cases.push(Case::new("values/colors", &[CODE, BRAND, TOKENS, FONTS], 200, |size| {
        Page::styled(
            &repeated(".c{i}{color:rgb({i} {i} 9);background:hsl({i} 50% 50%);border-color:oklch(.5 .1 {i})}", size),
            "",
        )
    }));
    cases.push(Case::new("values/colors-used", subjects, 200, |size| {
        Page::of_body(&repeated("<a class=btn style='color:rgb({i} {i} 9);background:hsl({i} 50% 50%)'>x</a>", size))
    }));
    cases.push(Case::new("values/gradients-used", subjects, 200, |size| {
        Page::of_body(&repeated("<div style='background:linear-gradient({i}deg,red,hsl({i} 50% 50%))'>x</div>", size))
    }));
    cases
}
