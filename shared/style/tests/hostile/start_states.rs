//! Pages of hidden elements only.

use crate::page;
use limner_page::Document;
use limner_style::StyleIndex;

#[test]
fn hidden_siblings_take_steps_in_proportion() {
    for (element, css) in [("<p class=x>x</p>", ".x{opacity:0}"), ("<b>x</b>", "b{visibility:hidden}")] {
        let steps = |count: usize| {
            let page = page(&element.repeat(count), css);
            let document = Document::parse(&page.html);
            let before = document.work_budget().steps();
            let index = StyleIndex::new(&page, &document).with_start_states_ended();
            assert!(!index.truncated());
            before - document.work_budget().steps()
        };
        let [few, many] = [500, 2_000].map(steps);
        assert!(many < few * 5, "{css}: {few}, then {many} steps");
    }
}
