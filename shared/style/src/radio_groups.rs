//! Radio button groups (HTML, section 4.10.5.1.16): at most one button of a group is checked.

use foldhash::{HashMap, HashMapExt};
use limner_page::dom::{Element, NodeKind};
use limner_page::{Document, NodeId};

/// The groups of a page that have a checked button.
#[derive(Debug, Default)]
pub(crate) struct RadioGroups {
    /// By button, the one of its group that is checked in the markup.
    checked: HashMap<NodeId, NodeId>,
}

/// The owner of a group: a form by its `id` in the `form` attribute of a button, or the nearest form or tree.
type GroupOwner<'d> = (Option<&'d str>, Option<NodeId>);

impl RadioGroups {
    pub(crate) fn new(document: &Document) -> Self {
        let mut groups: HashMap<(GroupOwner<'_>, &str), (Vec<NodeId>, Option<NodeId>)> = HashMap::new();
        let buttons = document.elements().filter(|(_, element)| is_radio(element));
        for (node, element) in buttons {
            let Some(name) = element.attr("name").filter(|name| !name.is_empty()) else { continue };
            let (members, checked) = groups.entry((owner(document, node, element), name)).or_default();
            members.push(node);
            // Each button that is checked unchecks those before it.
            *checked = element.attr("checked").map(|_| node).or(*checked);
        }
        let of_group = |(members, checked): (Vec<NodeId>, Option<NodeId>)| {
            let others = move |checked| members.into_iter().map(move |node| (node, checked));
            checked.map(others).into_iter().flatten()
        };
        Self { checked: groups.into_values().flat_map(of_group).collect() }
    }

    /// Returns the button that checking another one of its group unchecks.
    pub(crate) fn unchecked_by(&self, node: NodeId) -> Option<NodeId> {
        self.checked.get(&node).copied().filter(|checked| *checked != node)
    }
}

fn is_radio(element: &Element) -> bool {
    element.is_html("input") && element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("radio"))
}

fn owner<'d>(document: &'d Document, node: NodeId, element: &'d Element) -> GroupOwner<'d> {
    let form_of = |node: &NodeId| match document.kind(*node) {
        NodeKind::ShadowRoot => true,
        _ => document.element(*node).is_some_and(|element| element.is_html("form")),
    };
    match element.attr("form") {
        Some(form) => (Some(form), None),
        None => {
            let owner = document.ancestors(node).find(form_of);
            let id = owner.and_then(|form| document.element(form)).and_then(|form| form.attr("id"));
            if id.is_some() { (id, None) } else { (None, owner) }
        }
    }
}
