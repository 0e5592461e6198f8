//! Tests `variables`.

use super::*;

#[test]
fn names_of_people_are_kept() {
    for (name, html, tailwind) in [
        ("--brand", true, true),
        ("--color-brand", true, true),
        ("--color-slate-700", true, false),
        ("--color-white", true, false),
        ("--font-sans", true, false),
        ("--font-display", true, true),
        ("--spacing", true, false),
        ("--text", true, false),
        ("--text-muted", true, true),
        ("--text_muted", true, false),
        ("--tw-ring-color", false, false),
        ("--wp--preset--color--base", false, false),
        ("--bs-btn-bg", false, false),
        ("--token-4f19ac02-bg", false, false),
        ("--grey-100", true, true),
    ] {
        assert_eq!(is_kept(name, Baseline::Browser), html, "{name}");
        assert_eq!(is_kept(name, Baseline::Preflight), tailwind, "{name}");
    }
}

#[test]
fn values_of_one_kind_are_kept() {
    use VariableKind as K;
    for (value, html, tailwind) in [
        ("#0af", Some(K::Color), Some(K::Color)),
        ("currentColor", None, None),
        ("oklch(62% .2 250)", Some(K::Color), Some(K::Color)),
        ("light-dark(#fff, #000)", Some(K::Color), Some(K::Color)),
        ("12px", Some(K::Length), None),
        ("1.5em", None, None),
        ("50%", None, None),
        ("1.5", None, None),
        ("124 58 237", None, None),
        ("Inter, system-ui, sans-serif", Some(K::FontStack), Some(K::FontStack)),
        ("ease, linear", None, None),
        ("0 1px 2px #0003, 0 8px 24px rgb(0 0 0 / 8%)", Some(K::Shadow), None),
        ("linear-gradient(90deg, red, blue)", Some(K::Gradient), None),
        ("url(a.png)", None, None),
    ] {
        assert_eq!(kind(value, Baseline::Browser, false), html, "{value}");
        assert_eq!(kind(value, Baseline::Preflight, false), tailwind, "{value}");
    }
    assert_eq!(kind("1rem", Baseline::Browser, true), None);
}
