//! Writes `tailwind`: HTML with Tailwind utilities.

use super::tree::Tag;
use super::{at_rules, markup, tailwind};
use crate::code::model::{Component, Emitted};

/// Writes a component.
pub(super) fn emit(component: &Component) -> Emitted {
    let styles = tailwind::shared_styles(component);
    let root = Tag::of(component, &styles.classes);
    let faces = at_rules::faces(component).map(|faces| format!("<style>\n{faces}</style>\n\n")).unwrap_or_default();
    Emitted {
        code: format!("{faces}{}", markup::html(&root)),
        css: at_rules::keyframes(component),
        mapped_to_tailwind: styles.named(),
        arbitrary: styles.arbitrary(),
        repeated_groups: 0,
    }
}
