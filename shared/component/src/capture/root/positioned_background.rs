//! Backgrounds that a page paints with elements of their own: positioned siblings of the section, or of elements around
//! it, that fill its box or the viewport with a colour, an image, a video's poster or a canvas.

use super::ancestor_background::{IMAGE_LONGHANDS, canvas_background, canvas_scheme, copied_background_declarations};
use crate::capture::context::SectionContext;
use crate::capture::environments::{EnvId, EnvMap};
use limner_assets::image_references::lazy;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::color::is_transparent;
use limner_style::computed::Position;
use limner_style::effective_background::ColorLayer;
use limner_style::layout::Rect;
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, SpecifiedStyle, Styles};

/// Maximum number of children of one element around the section that are looked at.
const MAX_SIBLINGS: usize = 64;
/// Maximum number of nodes inside a background that are looked at.
const MAX_INNER: usize = 64;
/// Minimum share of the section, or of the viewport, that a background covers.
const MIN_COVERED: f32 = 0.9;
/// Minimum share of a background that a picture in it fills.
const MIN_FILLED: f32 = 0.7;
/// Opacity below which a background is only a gleam.
const MIN_OPACITY: f64 = 0.05;

/// The background behind a section in one environment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaintedBackground {
    /// The colour; the mean where it is that of a gradient.
    pub(super) color: ColorLayer,
    /// The declarations of the image above the colour.
    pub(super) image: Vec<(Longhand, String)>,
}

/// A positioned element that fills the section's place.
struct Layer {
    node: NodeId,
    /// Number of the section's ancestors that are painted above it.
    depth: usize,
    z_index: i32,
    specified: SpecifiedStyle,
    /// The declarations of the image that it shows.
    picture: Option<Vec<(Longhand, String)>>,
}

/// Returns the backgrounds that positioned siblings paint behind the section, where they are what is seen.
pub(super) fn positioned_backgrounds(
    context: &SectionContext<'_>,
    ancestors: &[NodeId],
    styles: &EnvMap<Vec<SpecifiedStyle>>,
    page_styles: &mut EnvMap<Styles<'_>>,
) -> EnvMap<Option<PaintedBackground>> {
    let candidates = candidates(context, ancestors, page_styles);
    let found = styles.entries().map(|(env, ancestor_styles)| {
        let own = &context.computed[0][env];
        let is_clear =
            is_transparent(own.get(Longhand::BackgroundColor)) && own.get(Longhand::BackgroundImage) == "none";
        if candidates.is_empty() || !is_clear {
            return None;
        }
        let place = Place { context, env, ancestors, ancestor_styles };
        place.painted(&place.layers(&candidates, &mut page_styles[env]))
    });
    found.collect()
}

/// Returns the siblings that may be backgrounds, each with the index of the ancestor that is its parent.
fn candidates(
    context: &SectionContext<'_>,
    ancestors: &[NodeId],
    page_styles: &mut EnvMap<Styles<'_>>,
) -> Vec<(usize, NodeId)> {
    let document = &context.view.document;
    let envs = [context.environments.desktop(), context.environments.phone()];
    let mut found = Vec::new();
    for (at, parent) in ancestors.iter().enumerate() {
        let on_path = at.checked_sub(1).map_or(context.request.section, |below| ancestors[below]);
        for (node, element) in document.child_elements(*parent).take(MAX_SIBLINGS) {
            let is_placed = |styles: &mut Styles<'_>| {
                styles.get(node).is_some_and(|style| style.is_absolutely_positioned() && !style.is_hidden())
            };
            let may_be = node != on_path && element.in_html() && is_wordless(document, node, element);
            if may_be && envs.iter().any(|env| is_placed(&mut page_styles[*env])) {
                found.push((at, node));
            }
        }
    }
    found
}

/// Returns true for an element without words, fields and links: a background has none.
fn is_wordless(document: &Document, node: NodeId, element: &Element) -> bool {
    const CONTENT: &[&str] =
        &["a", "button", "dialog", "form", "header", "footer", "nav", "iframe", "input", "script", "style", "template"];
    let mut inside = document.descendants(node).take(MAX_INNER);
    !CONTENT.contains(&element.name())
        && inside.all(|inner| match document.element(inner) {
            Some(element) => !CONTENT.contains(&element.name()),
            None => document.text(inner).is_none_or(|text| text.trim().is_empty()),
        })
}

/// The section's place on its page in one environment.
struct Place<'p> {
    context: &'p SectionContext<'p>,
    env: EnvId,
    ancestors: &'p [NodeId],
    ancestor_styles: &'p [SpecifiedStyle],
}

impl Place<'_> {
    /// Number of ancestors below the body and the root element, whose backgrounds are the canvas.
    fn inner(&self) -> usize {
        self.ancestors.len().saturating_sub(2)
    }

    /// Returns the layers behind the section, the topmost first.
    fn layers(&self, candidates: &[(usize, NodeId)], styles: &mut Styles<'_>) -> Vec<Layer> {
        let base = &self.context.view.base;
        let mut found: Vec<Layer> = Vec::new();
        for (at, node) in candidates {
            let Some(specified) = styles.specified(*node, None, base, &|_| None) else { continue };
            let style = &specified.style;
            let is_seen = style.is_absolutely_positioned()
                && !style.is_hidden()
                && style.is_visible()
                && opacity(style) > MIN_OPACITY
                && self.is_covered_by(*node, style);
            let z_index = z_index(style);
            let depth = if is_seen { self.depth(*at, *node, z_index) } else { None };
            let Some(depth) = depth else { continue };
            let picture = self.picture(*node, &specified, styles);
            found.push(Layer { node: *node, depth, z_index, specified, picture });
        }
        found.sort_by_key(|layer| (layer.depth, -layer.z_index, std::cmp::Reverse(layer.node)));
        found
    }

    /// Returns true if an element fills the viewport or the section.
    fn is_covered_by(&self, node: NodeId, style: &ComputedStyle) -> bool {
        let environment = self.context.environments.environment(self.env);
        let viewport = (environment.width as f32, environment.height as f32);
        let boxes = self.context.boxes(self.env);
        let rects = boxes.and_then(|boxes| Some([boxes.get(node)?, boxes.get(self.context.request.section)?]));
        match rects {
            Some([own, _]) if style.position() == Position::Fixed => {
                own.width >= MIN_COVERED * viewport.0 && own.height >= MIN_COVERED * viewport.1
            }
            Some([own, section]) => section.area() > 0.0 && overlap(own, section) >= MIN_COVERED * section.area(),
            None => spans(style, viewport),
        }
    }

    /// Returns the number of ancestors that are painted above a layer; `None` if it is painted above the section.
    fn depth(&self, at: usize, node: NodeId, z_index: i32) -> Option<usize> {
        let stacks = |at: usize| {
            let parent = self.ancestor_styles.get(at + 1).map(|parent| &*parent.style);
            self.ancestor_styles[at].style.establishes_stacking_context(parent)
        };
        if z_index < 0 {
            // Behind all backgrounds up to that of the stacking context.
            return Some((at..self.inner()).find(|at| stacks(*at)).unwrap_or_else(|| self.inner()));
        }
        // The outermost positioned element on the way to the section is compared with the layer.
        let own = &self.context.computed[0][self.env];
        let path = (0..at).rev().map(|at| (&*self.ancestor_styles[at].style, self.ancestors[at]));
        let mut path = path.chain([(&**own, self.context.request.section)]);
        let is_level = |style: &ComputedStyle| style.is_positioned() || style.get(Longhand::ZIndex) != "auto";
        let (style, other) = path.find(|(style, _)| is_level(style))?;
        let level = self::z_index(style);
        (level > z_index || level == z_index && other > node).then_some(at.min(self.inner()))
    }

    /// Returns what the layers paint; `None` if something nearer hides them.
    fn painted(&self, layers: &[Layer]) -> Option<PaintedBackground> {
        let first = layers.first()?.depth;
        let mut above: Option<ColorLayer> = None;
        let own = &self.context.computed[0][self.env];
        let scheme = canvas_scheme(self.ancestor_styles, own);
        let canvas = canvas_background(self.ancestor_styles, scheme);
        for at in 0..=self.inner() {
            for layer in layers.iter().filter(|layer| layer.depth == at) {
                let below = self.below(layer, layers, canvas);
                if let Some(image) = layer.picture.clone() {
                    let color = ColorLayer::from_background_color(&layer.specified.style);
                    let color = color.map_or(below, |color| color.composite_over(below));
                    let faded = below.with_alpha(1.0 - opacity(&layer.specified.style));
                    let veil = above.map_or(faded, |above| above.composite_over(faded));
                    return Some(PaintedBackground { color, image: veiled(image, veil) });
                }
                let Some(color) = ColorLayer::from_style(&layer.specified.style) else { continue };
                let color = color.faded(opacity(&layer.specified.style));
                above = Some(above.map_or(color, |above| above.composite_over(color)));
            }
            let Some(ancestor) = self.ancestor_styles[..self.inner()].get(at) else { break };
            let is_depicted = ancestor.style.get(Longhand::BackgroundImage).contains("url(");
            if is_depicted && at < first {
                return None;
            }
            if let Some(color) = ColorLayer::from_style(&ancestor.style) {
                above = Some(above.map_or(color, |above| above.composite_over(color)));
            }
            if above.is_some_and(ColorLayer::is_opaque) && at < first {
                return None;
            }
        }
        Some(PaintedBackground { color: above?.composite_over(canvas), image: Vec::new() })
    }

    /// Returns the colour behind a layer.
    fn below(&self, layer: &Layer, layers: &[Layer], canvas: ColorLayer) -> ColorLayer {
        let is_below = |other: &&Layer| (other.depth, -other.z_index) > (layer.depth, -layer.z_index);
        let others = layers.iter().filter(is_below).map(|other| (other.depth, &other.specified.style));
        let ancestors = self.ancestor_styles.iter().enumerate().take(self.inner()).skip(layer.depth);
        let ancestors = ancestors.map(|(at, ancestor)| (at, &ancestor.style));
        let mut painted: Vec<_> = others.chain(ancestors).collect();
        painted.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        let colors = painted.into_iter().filter_map(|(_, style)| ColorLayer::from_style(style));
        colors.fold(canvas, |below, color| color.composite_over(below))
    }

    /// Returns the declarations of the image that a layer shows: its own background, or a picture or video in it.
    fn picture(
        &self,
        node: NodeId,
        specified: &SpecifiedStyle,
        styles: &mut Styles<'_>,
    ) -> Option<Vec<(Longhand, String)>> {
        if specified.style.get(Longhand::BackgroundImage).contains("url(") {
            let copied = |longhand: &Longhand| copied_background_declarations(specified, *longhand);
            let declarations = IMAGE_LONGHANDS.iter().filter(|longhand| **longhand != Longhand::BackgroundAttachment);
            return Some(declarations.filter_map(copied).collect());
        }
        let document = &self.context.view.document;
        let environment = self.context.environments.environment(self.env);
        let viewport = (environment.width as f32, environment.height as f32);
        let boxes = self.context.boxes(self.env);
        let rect = |node: NodeId| boxes.as_ref().and_then(|boxes| boxes.get(node));
        let around = rect(node).map(Rect::area);
        let mut media = std::iter::once(node).chain(document.light_descendants(node).take(MAX_INNER));
        let address = media.find_map(|inner| {
            let address = media_address(document.element(inner)?)?;
            let style = styles.get(inner).filter(|style| !style.is_hidden() && style.is_visible())?;
            let own = rect(inner).map(Rect::area);
            let fills = match own.zip(around) {
                Some((own, around)) => own >= MIN_FILLED * around,
                None => style.get(Longhand::ObjectFit) == "cover" || spans(&style, viewport),
            };
            (inner == node || fills).then_some(address)
        })?;
        let address = self.context.view.base.join(address).ok()?;
        let address = address.as_str().replace('"', "%22");
        Some(vec![
            (Longhand::BackgroundImage, format!("url(\"{address}\")")),
            (Longhand::BackgroundPositionX, "50%".to_owned()),
            (Longhand::BackgroundPositionY, "50%".to_owned()),
            (Longhand::BackgroundSize, "cover".to_owned()),
            (Longhand::BackgroundRepeat, "no-repeat".to_owned()),
        ])
    }
}

/// Returns the address of the picture that an element shows.
fn media_address(element: &Element) -> Option<&str> {
    let is_address = |value: &&str| !value.trim().is_empty() && !value.trim_start().starts_with("data:");
    let lazily = || {
        let named = element.attributes().iter();
        let found = named.filter(|attribute| {
            matches!(lazy::for_img(&attribute.name.local), Some(lazy::LazyAttribute::Url(_)))
                && lazy::is_url_like(&attribute.value)
        });
        found.map(|attribute| &*attribute.value).next()
    };
    match element.name() {
        "video" => element.attr("poster").or_else(|| element.attr("data-poster")).filter(is_address),
        "img" => element.attr("src").filter(is_address).or_else(lazily),
        _ => None,
    }
}

fn opacity(style: &ComputedStyle) -> f64 {
    style.get(Longhand::Opacity).parse().unwrap_or(1.0)
}

fn z_index(style: &ComputedStyle) -> i32 {
    style.get(Longhand::ZIndex).parse().unwrap_or_default()
}

fn overlap(one: Rect, other: Rect) -> f32 {
    let width = (one.x + one.width).min(other.x + other.width) - one.x.max(other.x);
    let height = (one.y + one.height).min(other.y + other.height) - one.y.max(other.y);
    width.max(0.0) * height.max(0.0)
}

/// Returns true if the style alone says that a box fills what it is positioned in.
fn spans(style: &ComputedStyle, (width, height): (f32, f32)) -> bool {
    let px = |longhand: Longhand| style.get(longhand).strip_suffix("px").and_then(|px| px.parse::<f32>().ok());
    let spans = |size: Longhand, from: Longhand, to: Longhand, viewport: f32| {
        let is_full = style.get(size) == "100%" || px(size).is_some_and(|px| px >= MIN_COVERED * viewport);
        let is_between = |edge: Longhand| px(edge).is_some_and(|px| px <= 0.0);
        is_full || style.get(size) == "auto" && is_between(from) && is_between(to)
    };
    spans(Longhand::Width, Longhand::Left, Longhand::Right, width)
        && spans(Longhand::Height, Longhand::Top, Longhand::Bottom, height)
}

/// Adds a layer of one colour above an image.
fn veiled(image: Vec<(Longhand, String)>, veil: ColorLayer) -> Vec<(Longhand, String)> {
    if veil.is_clear() {
        return image;
    }
    let color = veil.css_with_alpha();
    let first = |longhand: Longhand| match longhand {
        Longhand::BackgroundImage => format!("linear-gradient({color}, {color})"),
        other => other.initial().to_owned(),
    };
    image.into_iter().map(|(longhand, value)| (longhand, format!("{}, {value}", first(longhand)))).collect()
}
