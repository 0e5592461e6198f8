//! Addresses in values.

/// The address that stands for one that is invalid (Values 4, section 4.5.4): nothing is loaded from it.
pub const INVALID_ADDRESS: &str = "about:invalid";

/// Returns true for an address that would run a script where browsers follow it. In values they never do.
pub fn runs_script(address: &str) -> bool {
    let letters = || address.chars().filter(|c| !c.is_ascii_control() && *c != ' ').map(|c| c.to_ascii_lowercase());
    ["javascript:", "vbscript:"].iter().any(|scheme| letters().take(scheme.len()).eq(scheme.chars()))
}
