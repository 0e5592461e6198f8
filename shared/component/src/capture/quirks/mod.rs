//! Layout rules of quirks mode (<https://quirks.spec.whatwg.org/>) that a component has to declare, because the page that
//! it is pasted into is in standards mode.

pub(super) mod collapsed_margins;
pub(super) mod image_only_lines;
pub(super) mod line_height;
