//! Defines what a file of a component consists of: `Hero.jsx`, with the components that it imports and its properties.

use crate::at_rules;
use crate::loops::{LoopData, LoopSyntax, collapse, item_name_for_role};
use crate::tailwind::Styles;
use limner_component_model::ir::OutputElement;
use limner_component_model::model::{Component, Emitted, Namespace};
use limner_types::SectionRole;

/// A module: one component.
pub(crate) struct Module<'m> {
    /// The component's name.
    pub(crate) name: &'m str,
    pub(crate) role: Option<SectionRole>,
    pub(crate) root: OutputElement,
    /// The components that it imports: name, and address without extension.
    pub(crate) imports: Vec<(String, String)>,
    /// The names of its properties, which are texts.
    pub(crate) props: Vec<String>,
    /// The stylesheet of fonts and counters, which only the page has.
    pub(crate) faces: Option<String>,
}

/// Writes the modules of a framework.
pub(crate) trait ModuleWriter {
    /// The extension of file names.
    fn extension(&self) -> &'static str;
    /// Returns the name of a section's component in this framework.
    fn section_name(&self, name: &str) -> String {
        name.to_owned()
    }
    /// Returns the name of a component that sections share in this framework.
    fn shared_name(&self, name: &str) -> String {
        name.to_owned()
    }
    /// Adapts the attributes of a whole page.
    fn prepare(&self, root: &mut OutputElement);
    /// Returns the code, and the number of its loops.
    fn write(&self, module: Module<'_>) -> (String, usize);
}

/// Writes a component as one module.
pub(crate) fn emit_component(component: &Component, styles: &Styles, writer: &dyn ModuleWriter) -> Emitted {
    let mut root = OutputElement::from_component(component, &styles.classes);
    writer.prepare(&mut root);
    let faces = at_rules::faces(component);
    let (name, role) = (component.name.as_str(), component.role);
    let (code, repeated_groups) =
        writer.write(Module { name, role, root, imports: Vec::new(), props: Vec::new(), faces });
    styles.emitted(component, code, repeated_groups)
}

/// Collapses the repeated parts of a module into loops over data. `class`: the attribute of classes. The texts of a
/// module with properties are expressions already.
pub(crate) fn collapse_loops(
    root: &mut OutputElement,
    has_props: bool,
    class: &'static str,
    role: Option<SectionRole>,
    reserved: &[&str],
) -> LoopData {
    if has_props {
        return LoopData::default();
    }
    collapse(root, LoopSyntax { class, item_name: item_name_for_role(role), for_scripts: true }, reserved)
}

/// A part of a page: the first one is what composes the others.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) role: Option<SectionRole>,
    pub(crate) root: OutputElement,
}

/// Returns the element that stands for a component in place of `tag`.
pub(crate) fn reference(name: &str, tag: &OutputElement) -> OutputElement {
    OutputElement {
        name: name.to_owned(),
        namespace: Namespace::Html,
        is_block_level: tag.is_block_level,
        semantic_name: tag.semantic_name.clone(),
        ..OutputElement::default()
    }
}

/// Returns true for an element that stands for a component.
pub(crate) fn is_reference(tag: &OutputElement) -> bool {
    tag.name.starts_with(|c: char| c.is_uppercase())
}
