//! Defines what a file of a component consists of: `Hero.jsx`, with the components that it imports and its properties.

use limner_component_model::ir::OutputElement;
use limner_component_model::model::Namespace;
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
    /// Adapts the attributes of a whole page.
    fn prepare(&self, root: &mut OutputElement);
    /// Returns the code, and the number of its loops.
    fn write(&self, module: Module<'_>) -> (String, usize);
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
        breaks_lines: tag.breaks_lines,
        semantic_name: tag.semantic_name.clone(),
        ..OutputElement::default()
    }
}

/// Returns true for an element that stands for a component.
pub(crate) fn is_reference(tag: &OutputElement) -> bool {
    tag.name.starts_with(|c: char| c.is_uppercase())
}
