//! The input of a capture.

use crate::root_theme::RootTheme;
use limner_component_model::model::Baseline;
use limner_component_model::theme_selector::ThemeSelector;
use limner_page::NodeId;
use limner_style::StyleIndex;
use limner_style::color::Scheme;
use limner_types::SectionRole;

/// The section to capture, and how.
pub(crate) struct CaptureRequest<'a> {
    /// The root of the section.
    pub(crate) section: NodeId,
    /// The styles of the document that the component is pasted into.
    pub(crate) baseline: Baseline,
    /// Elements that stay elements of their own, however little they do: the sections of a page.
    pub(crate) kept: &'a [NodeId],
    /// The component's name.
    pub(crate) name: String,
    /// The purpose of the section.
    pub(crate) role: Option<SectionRole>,
    /// The page's rules under the theme that forms the component.
    pub(crate) index: &'a StyleIndex<'a>,
    /// The color scheme of that theme.
    pub(crate) scheme: Scheme,
    /// The theme that the page's root element declares.
    pub(crate) root_theme: RootTheme,
    /// The page's rules under its dark theme, if the component has both themes.
    pub(crate) dark: Option<&'a StyleIndex<'a>>,
    /// The class or attribute on the root element that enables the dark theme, if nothing else does.
    pub(crate) dark_switch: Option<ThemeSelector>,
}
