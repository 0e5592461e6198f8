//! Tests `headings`.

use super::is_figure;

#[test]
fn figures_are_numbers_and_units() {
    for text in ["98", " 5.6", "K+", "%", "24/7", "1,200+", "10k+", "$29"] {
        assert!(is_figure(text), "{text}");
    }
    for text in ["", "FAQ", "2024", "Go", "A", "f1()", "A1 Plan", "IT", "Top 10", "1234567890"] {
        assert!(!is_figure(text), "{text}");
    }
}
