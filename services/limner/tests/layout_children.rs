//! Layout in real child processes: a page that exhausts one does not affect others.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use limner_layout::{ProcessLayout, ProcessLayoutConfig};
use limner_page::{Document, PageSnapshot};
use limner_style::Environment;
use limner_style::layout::Layout;
use limner_subprocess::Launch;
use std::time::Duration;

fn children(options: &[&str]) -> ProcessLayout {
    let launch = Launch::new(env!("CARGO_BIN_EXE_limner"), ["layout-worker"].iter().chain(options));
    // Generous: the tested limits are those that the child sets on itself.
    let processor_time = Duration::from_secs(120);
    ProcessLayout::new(ProcessLayoutConfig { children: 2, processor_time, ..ProcessLayoutConfig::new(launch) })
}

fn page(html: &str) -> PageSnapshot {
    PageSnapshot { url: "https://a.test/".into(), html: html.into(), ..PageSnapshot::default() }
}

/// Lays out a small page and returns the width of its `main`.
fn width_of_main(layout: &ProcessLayout) -> Option<f32> {
    let html = "<!doctype html><body style='margin:0'><main style='width:50%;height:9px'></main>";
    let boxes = layout.boxes(&page(html), &Environment::default())?;
    let document = Document::parse(html);
    let (main, _) = document.elements_named("main").next().unwrap();
    boxes.get(main).map(|rect| rect.width)
}

#[test]
fn children_answer_one_page_after_the_other() {
    let layout = children(&[]);
    for _ in 0..3 {
        assert_eq!(width_of_main(&layout), Some(720.0));
    }
}

#[test]
fn several_pages_are_laid_out_at_once() {
    let layout = children(&[]);
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..6).map(|_| scope.spawn(|| width_of_main(&layout))).collect();
        assert!(calls.into_iter().all(|call| call.join().unwrap() == Some(720.0)));
    });
}

#[test]
fn page_that_takes_too_much_memory_has_no_boxes_and_the_next_one_has() {
    let layout = children(&["--memory", "500"]);
    let large = page(&"<div><b>x</b><p>y</div>".repeat(100_000));
    assert_eq!(layout.boxes(&large, &Environment::default()), None);
    assert_eq!(width_of_main(&layout), Some(720.0));
}

#[test]
fn page_that_takes_too_much_time_has_no_boxes_and_the_next_one_has() {
    let layout = children(&["--seconds", "1"]);
    let slow = page(&format!("<style>div{{display:grid}}</style>{}", "<div><b>x</b><p>y</div>".repeat(60_000)));
    assert_eq!(layout.boxes(&slow, &Environment::default()), None);
    assert_eq!(width_of_main(&layout), Some(720.0));
}
