//! Tests borders that only some widths show.

use super::{ask_for, page_of};
use limner_types::{Framework, Theme};

/// The page's `none` computes to no width. Preflight's borders are solid.
#[test]
fn border_without_style_below_a_breakpoint_has_no_width_there() {
    for (rules, expected) in [
        (".x{border-left:2px solid red} @media (max-width:767px){.x{border-left-style:none}}", true),
        (".x{border:2px solid red} @media (max-width:767px){.x{border-style:none}}", true),
        (".x{border-left:2px none red} @media (min-width:768px){.x{border-left-style:solid}}", true),
        (".x{border-left:2px solid red}", false),
    ] {
        let page =
            page_of("<!doctype html><body><main class=h><h1>Words</h1><p class=x>Words on a page</p></main>", rules);
        let result = ask_for(&page, Some(".h"), Theme::Light, Framework::Tailwind).unwrap();
        let code = result["code"].as_str().unwrap();
        let tokens: Vec<&str> = code.split(['"', ' ']).collect();
        let has_width = |prefix: &str| {
            ["border-2", "border-l-2"].iter().any(|width| tokens.contains(&format!("{prefix}{width}").as_str()))
        };
        let is_limited = has_width("md:") || tokens.iter().any(|token| token.starts_with("max-md:border"));
        assert_eq!((is_limited, has_width("md:") || has_width("")), (expected, true), "{rules}: {code}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{rules}: {code}");
    }
}
