//! The theme of a component: what the page declares, or how dark the background of the section is.

use super::ancestor_background::{canvas_scheme, effective_background};
use super::positioned_background::PaintedBackground;
use crate::capture::color_scheme;
use crate::capture::context::SectionContext;
use crate::capture::environments::EnvMap;
use limner_style::SpecifiedStyle;
use limner_style::color::SupportedSchemes;
use limner_style::effective_background::ColorLayer;
use limner_style::property::Longhand;
use limner_types::Theme;

/// Returns the section's theme: the one that the page's root declares, else the one that the background behind its text
/// implies, else the one that the section itself declares.
pub(super) fn theme(
    context: &SectionContext<'_>,
    inherited: &EnvMap<Vec<SpecifiedStyle>>,
    positioned: Option<&PaintedBackground>,
) -> Option<Theme> {
    let env = context.environments.desktop();
    let order = context.request;
    let own = &context.computed[0][env];
    let metadata = order.index.supported_schemes();
    let root = inherited[env].last().map_or("normal", |root| root.style.get(Longhand::ColorScheme));
    if let Some(declared) = order.root_theme.declared(root, metadata, order.scheme) {
        return Some(color_scheme::theme(declared));
    }
    let canvas = canvas_scheme(&inherited[env], own);
    let ancestors = inherited[env].iter().map(|ancestor| &*ancestor.style);
    let painted = positioned.filter(|painted| painted.image.is_empty()).map(|painted| painted.color);
    if let Some(ground) = painted.or_else(|| effective_background(std::iter::once(&**own).chain(ancestors))) {
        let seen = ground.composite_over(ColorLayer::canvas(canvas));
        return Some(if seen.is_dark() { Theme::Dark } else { Theme::Light });
    }
    let declares = own.get(Longhand::ColorScheme) != "normal" || metadata != SupportedSchemes::default();
    let unpainted = order.root_theme.unpainted(root, metadata);
    unpainted.or(declares.then_some(canvas)).map(color_scheme::theme)
}
