//! Writes `tailwind`: HTML with Tailwind utilities.

use super::tailwind::{self, Styles};
use super::{at_rules, loops};
use limner_component_model::html_syntax;
use limner_component_model::ir::OutputElement;
use limner_component_model::model::{Component, Emitted};

/// Writes a component.
pub(super) fn emit(component: &Component) -> Emitted {
    tailwind::emit_written_out(component, &|styles| emit_styled(component, styles))
}

fn emit_styled(component: &Component, styles: &Styles) -> Emitted {
    let root = OutputElement::from_component(component, &styles.classes);
    let faces = at_rules::faces(component).map(|faces| format!("<style>\n{faces}</style>\n\n")).unwrap_or_default();
    let code = format!("{faces}{}", html_syntax::html(&root));
    styles.emitted(component, code, loops::count_repeated(root, component))
}
