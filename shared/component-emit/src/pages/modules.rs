//! Cuts a page into modules that import each other: `Page.jsx`, `sections/Hero.jsx`, `components/Button.jsx`.
//!
//! The classes are those of the whole page, so the composed page has the elements and styles of the captured one.

use super::shared_components::{self, SharedComponent};
use crate::at_rules;
use crate::module::{Module, ModuleWriter, Part, is_reference, reference};
use crate::tailwind::{self, Styles};
use limner_component_model::ir::{Node, OutputElement};
use limner_component_model::model::{Child, Component, ElementId};
use limner_component_model::page::{EmittedPage, Page, PageSection};
use std::collections::{BTreeSet, HashMap};

/// Names that components cannot have: the page's default name, a global that code needs, and components of Vue itself.
#[rustfmt::skip]
const RESERVED: &[&str] =
    &["Component", "KeepAlive", "Page", "Slot", "String", "Suspense", "Teleport", "Template", "Transition"];

/// Writes a page.
pub(super) fn emit(page: &Page, writer: &impl ModuleWriter) -> EmittedPage {
    let component = &page.component;
    let styles = tailwind::unshared_styles(component);
    let section_names = section_names(page, writer);
    let mut parts = cut(page, &section_names, &styles, writer);
    let names = parts.iter().map(|part| part.name.as_str());
    let reserved: BTreeSet<String> = names.chain(RESERVED.iter().copied()).map(str::to_owned).collect();
    let shared = shared_components::extract(&mut parts, &reserved, &|name| writer.shared_name(name));
    let mut groups = 0;
    let mut files: Vec<(String, String)> = Vec::new();
    let mut code = String::new();
    for (at, part) in parts.iter_mut().enumerate() {
        let is_page = at == 0;
        let imports = imports(&part.root, &section_names, &shared, is_page);
        let (text, count) = writer.write(Module {
            name: &part.name,
            role: part.role,
            root: std::mem::take(&mut part.root),
            imports,
            props: Vec::new(),
            faces: is_page.then(|| at_rules::faces(component)).flatten(),
        });
        groups += count;
        if is_page {
            code = text;
        } else {
            files.push((format!("sections/{}.{}", part.name, writer.extension()), text));
        }
    }
    for SharedComponent { name, template, props } in shared {
        let (root, imports) = (template, Vec::new());
        let module = Module { name: &name, role: None, root, imports, props, faces: None };
        let (text, count) = writer.write(module);
        groups += count;
        files.push((format!("components/{name}.{}", writer.extension()), text));
    }
    EmittedPage { page: styles.emitted(component, code, groups), files }
}

/// Returns the names of the sections' components, which are unique.
fn section_names(page: &Page, writer: &impl ModuleWriter) -> Vec<String> {
    let mut taken: BTreeSet<String> = page.sections.iter().map(|section| section.name.clone()).collect();
    let unique = |section: &PageSection| {
        let name = writer.section_name(&section.name);
        if name == section.name {
            return name;
        }
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let unique = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        let unique = unique.unwrap_or_default();
        taken.insert(unique.clone());
        unique
    };
    page.sections.iter().map(unique).collect()
}

/// Cuts the sections out of a page. In their place are elements with their names.
fn cut(page: &Page, section_names: &[String], styles: &Styles, writer: &impl ModuleWriter) -> Vec<Part> {
    let component = &page.component;
    let mut root = OutputElement::from_component(component, &styles.classes);
    writer.prepare(&mut root);
    let names: HashMap<ElementId, usize> =
        page.sections.iter().enumerate().map(|(at, section)| (section.root, at)).collect();
    let mut found: Vec<Option<OutputElement>> = vec![None; page.sections.len()];
    cut_in(component, ElementId(0), &mut root, &mut |id, tag| {
        let at = *names.get(&id)?;
        let own = reference(&section_names[at], tag);
        found[at] = Some(std::mem::replace(tag, own));
        None
    });
    let sections = page
        .sections
        .iter()
        .zip(section_names)
        .zip(found)
        .filter_map(|((section, name), root)| Some(Part { name: name.clone(), role: section.role, root: root? }));
    let own = Part { name: component.name.clone(), role: component.role, root };
    std::iter::once(own).chain(sections).collect()
}

/// Visits every element of a tree with its element of the component, from the inside out.
fn cut_in(
    component: &Component,
    id: ElementId,
    tag: &mut OutputElement,
    visit: &mut impl FnMut(ElementId, &mut OutputElement) -> Option<()>,
) {
    let children = component.elements[id.0].children.iter().zip(&mut tag.children);
    for (child, node) in children {
        if let (Child::Element(child), Node::Tag(tag)) = (child, node) {
            cut_in(component, *child, tag, visit);
        }
    }
    visit(id, tag);
}

/// Returns the components that a tree refers to, in the order of their names: sections first.
fn imports(
    root: &OutputElement,
    section_names: &[String],
    shared: &[SharedComponent],
    is_page: bool,
) -> Vec<(String, String)> {
    let mut names = BTreeSet::new();
    collect_references(root, &mut names);
    let (sections, components) = if is_page { ("./sections", "./components") } else { (".", "../components") };
    let of_sections = section_names.iter().map(|name| (name, sections));
    let all = of_sections.chain(shared.iter().map(|shared| (&shared.name, components)));
    all.filter(|(name, _)| names.contains(name.as_str()))
        .map(|(name, folder)| (name.clone(), format!("{folder}/{name}")))
        .collect()
}

fn collect_references<'t>(tag: &'t OutputElement, names: &mut BTreeSet<&'t str>) {
    if is_reference(tag) {
        names.insert(&tag.name);
    }
    tag.tags().for_each(|child| collect_references(child, names));
}
