//! Style sheets: any text as a sheet of a fixed page, read by the operation that the first byte chooses.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::choice_and_text;
use limner_fuzz::page::{answer, chosen_call_of_style, page_with_sheet};
use limner_page::{Document, PageSnapshot};
use limner_style::property::Longhand;
use limner_style::{Environment, StyleIndex, keep_at_rule};

const HTML: &str = "<!doctype html><html class=dark data-theme=dark lang=en><body><header class=h><nav><a href=/a class='a b'>A</a><a href=/b>B</a></nav></header>\
    <main id=m><section class='hero c'><h1 class=t>Title</h1><p class=p style='--v:2px;color:var(--c)'>Text <b>b</b></p><button disabled>B</button>\
    <input type=checkbox checked><ul class=l><li>1<li>2<li>3</ul></section><div hidden class=x><svg width=9><path d='M0 0'/></svg></div></main>";

/// Those of the page's elements that an index of a few properties gives must be those that an index of all gives.
const FEW: [Longhand; 4] = [Longhand::Display, Longhand::Content, Longhand::FontFamily, Longhand::MarginLeft];

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, css)) = choice_and_text(data) else { return Corpus::Reject };
    let page = page_with_sheet(HTML, &css);
    match choice {
        0..32 => compare_indices(&page),
        32..36 => drop(keep_at_rule(&css, "font-face")),
        _ => drop(answer(&page, &chosen_call_of_style(choice))),
    }
    Corpus::Keep
});

fn compare_indices(page: &PageSnapshot) {
    let document = Document::parse(&page.html);
    let (all, few) = (StyleIndex::new(page, &document), StyleIndex::for_properties(page, &document, &FEW));
    let environment = Environment::default();
    let (mut of_all, mut of_few) = (all.styles(&environment), few.styles(&environment));
    for (node, _) in document.elements() {
        let (Some(all), Some(few)) = (of_all.get(node), of_few.get(node)) else { panic!("an element without a style") };
        for longhand in FEW {
            assert_eq!(all.get(longhand), few.get(longhand), "{longhand:?}");
        }
    }
}
