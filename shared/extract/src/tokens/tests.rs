use crate::test_pages::{page, result};
use limner_types::Operation;
use serde_json::{Value, json};

fn tokens(css: &str) -> Value {
    result(Operation::Extract, &page(&format!("<style>{css}</style><p>Hello")))
}

#[test]
fn a_value_tells_its_usage() {
    let found = tokens(
        ":root{--brand:#C00}
         a{color:var(--brand);margin:4px}
         b{border:1px solid #cc0000}
         @media (max-width:600px){a{color:red}}
         i{color:#C00;color:#cc0000 !important;color:blue}",
    );
    assert_eq!(
        found["colors"]["#cc0000"],
        json!({
            "count": 6,
            "properties": ["border-bottom-color", "border-left-color", "border-right-color", "border-top-color", "color"],
            "variables": ["--brand"],
            "selectors": ["a", "b", "i"],
            "original": "#C00",
        })
    );
    assert_eq!(found["spacing"]["4px"]["count"], 4);
    assert_eq!(found["colorSchemes"], json!(["light"]));
    let order: Vec<&str> = found["colors"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(order, ["#cc0000", "#ff0000"]);
}
