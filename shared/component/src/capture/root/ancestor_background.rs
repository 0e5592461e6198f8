//! The background behind a section on its page, as far as it shows through the section: colours, composited down to the
//! canvas, and images of ancestors where they would look the same in the component.

use super::positioned_background::PaintedBackground;
use crate::capture::context::SectionContext;
use crate::capture::diff::ineffective::all_items_are;
use crate::capture::diff::style_pair::RequiredValues;
use crate::capture::diff::{value_reader, value_text};
use crate::capture::environments::{EnvId, EnvMap};
use limner_component_model::model::Rule;
use limner_page::NodeId;
use limner_style::color::{Scheme, is_transparent};
use limner_style::computed::{Display, Position};
use limner_style::effective_background::ColorLayer;
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::value::{Component, parse_components, split_commas};
use limner_style::{ComputedStyle, Environment, SpecifiedStyle};
use std::cell::OnceCell;

/// The background that the root of a component declares for what its ancestors paint behind it, in one environment.
#[derive(Debug, Default)]
pub(crate) struct AncestorBackground {
    color: Option<String>,
    /// The declarations of a background image.
    image: Vec<(Longhand, String)>,
    /// The colour without the image.
    plain: Option<String>,
    /// True if contents of the section with a negative `z-index` are painted above this background: it is the canvas,
    /// or in a stacking context.
    lets_show: bool,
}

/// Minimum ratio of the areas of two boxes of practically the same size.
const MIN_SAME_SIZE_RATIO: f32 = 0.9;
/// Width of a phone's viewport in pixels.
const PHONE_WIDTH: f64 = 390.0;

/// Returns the boxes of the page in a viewport of the width [`PHONE_WIDTH`].
fn phone_boxes(context: &SectionContext<'_>) -> Option<Boxes> {
    let desktop = context.environments.environment(context.environments.desktop());
    context.view.boxes(&Environment { width: PHONE_WIDTH, ..desktop })
}

/// Returns the backgrounds by environment. `ancestors` are the section's ancestors, the nearest first, `styles` their
/// specified values, `positioned` the backgrounds that elements of their own paint.
pub(crate) fn ancestor_backgrounds(
    context: &SectionContext<'_>,
    ancestors: &[NodeId],
    styles: &EnvMap<Vec<SpecifiedStyle>>,
    positioned: &EnvMap<Option<PaintedBackground>>,
) -> EnvMap<AncestorBackground> {
    // The images of the root element and of the body are painted on the canvas, whatever their sizes (CSS Backgrounds 3
    // §2.11).
    let inner = ancestors.len().saturating_sub(2);
    let rects = |env: EnvId, at: usize| -> Option<[Rect; 2]> {
        let boxes = context.boxes(env).filter(|_| at < inner)?;
        Some([boxes.get(context.request.section)?, boxes.get(ancestors[at])?])
    };
    let is_filled = |[own, other]: [Rect; 2]| {
        let (own, other) = (own.area(), other.area());
        own.min(other) > 0.0 && own.min(other) >= MIN_SAME_SIZE_RATIO * own.max(other)
    };
    let narrow = OnceCell::new();
    let backgrounds = styles.entries().map(|(env, ancestor_styles)| {
        if let Some(painted) = &positioned[env] {
            return AncestorBackground::from_painted(painted);
        }
        let own = &context.computed[0][env];
        let plain = visible_background_color(ancestor_styles, own, context.request.dark.is_some());
        let lets_show = is_transparent_to_ancestors(ancestor_styles);
        let found = ancestor_with_image(ancestor_styles, own).map(|(at, depicted)| (at, depicted, rects(env, at)));
        let shift = found.as_ref().and_then(|(at, depicted, rects)| {
            let stays = || {
                let narrow = narrow.get_or_init(|| phone_boxes(context));
                let left = |boxes: &Boxes| Some(boxes.get(context.request.section)?.x - boxes.get(ancestors[*at])?.x);
                let [own, ancestor] = (*rects)?;
                Some((left(narrow.as_ref()?)? - (own.x - ancestor.x)).abs() < 1.0)
            };
            shifted_position(&depicted.style, (*rects)?, &|| stays() == Some(true))
        });
        let is_same = |(_, depicted, rects): &(usize, &SpecifiedStyle, Option<[Rect; 2]>)| {
            shift.is_some() || is_position_independent(&depicted.style) || rects.is_some_and(is_filled)
        };
        match found.filter(is_same) {
            Some((at, ..)) => AncestorBackground {
                plain,
                lets_show,
                ..AncestorBackground::from_image(ancestor_styles, at, own).reposition_background(shift)
            },
            None => AncestorBackground { color: plain.clone(), image: Vec::new(), plain, lets_show },
        }
    });
    backgrounds.collect()
}

impl AncestorBackground {
    /// Returns the background that positioned elements paint.
    fn from_painted(painted: &PaintedBackground) -> Self {
        let color = (painted.color != ColorLayer::canvas(Scheme::Light)).then(|| painted.color.css());
        Self { color: color.clone(), image: painted.image.clone(), plain: color, lets_show: true }
    }

    /// Returns the background with the image of the ancestor at index `at`, over the colours behind it.
    fn from_image(ancestors: &[SpecifiedStyle], at: usize, own: &ComputedStyle) -> Self {
        let depicted = &ancestors[at];
        let below = composited_background(&ancestors[at + 1..], canvas_scheme(ancestors, own));
        let seen =
            ColorLayer::from_background_color(&depicted.style).map_or(below, |color| color.composite_over(below));
        Self {
            color: (seen != ColorLayer::canvas(Scheme::Light)).then(|| seen.css()),
            image: IMAGE_LONGHANDS
                .iter()
                .filter_map(|longhand| copied_background_declarations(depicted, *longhand))
                .collect(),
            ..Self::default()
        }
    }

    /// Sets the position of the image.
    fn reposition_background(mut self, shift: Option<[String; 2]>) -> Self {
        let positions = [Longhand::BackgroundPositionX, Longhand::BackgroundPositionY];
        for (longhand, position) in positions.into_iter().zip(shift.into_iter().flatten()) {
            self.image.retain(|(own, _)| *own != longhand);
            if position != "0px" {
                self.image.push((longhand, position));
            }
        }
        self
    }
}

/// Maximum distance in pixels at which an image is repositioned: further away it is not noticeable how tiles join.
const MAX_REPOSITION_DISTANCE: f32 = 400.0;

/// Returns the position of an ancestor's background image in a section that is at a distance in pixels from the
/// ancestor's edge. `stays` returns true if that distance is the same in every viewport. Returns `None` where the
/// position does not follow from the distance, or if the background is not a single image.
fn shifted_position(
    style: &ComputedStyle,
    [own, ancestor]: [Rect; 2],
    stays: &dyn Fn() -> bool,
) -> Option<[String; 2]> {
    use Longhand as L;
    let image = parse_components(style.get(L::BackgroundImage))?;
    let has_own_size =
        style.get(L::BackgroundSize).split_ascii_whitespace().all(|size| size == "auto" || size.ends_with("px"));
    let scrolls = style.get(L::BackgroundAttachment) == "scroll" && style.get(L::BackgroundOrigin) == "padding-box";
    if split_commas(&image).len() != 1 || !has_image(&image) || !has_own_size || !scrolls {
        return None;
    }
    let border = |longhand: L| value_reader::px(style, longhand);
    let left = f64::from(own.x - ancestor.x) - border(L::BorderLeftWidth)?;
    let top = f64::from(own.y - ancestor.y) - border(L::BorderTopWidth)?;
    if (own.x - ancestor.x).abs() > MAX_REPOSITION_DISTANCE || (own.y - ancestor.y).abs() > MAX_REPOSITION_DISTANCE {
        return None;
    }
    let moved = |longhand: L, by: f64| {
        let px = value_reader::px(style, longhand).or_else(|| (style.get(longhand) == "0%").then_some(0.0))?;
        Some(format!("{}px", ((px - by) * 100.0).round() / 100.0))
    };
    let is_as_wide = (own.width - ancestor.width).abs() < 1.0 && left.abs() < 1.0;
    let share = || Some(style.get(L::BackgroundPositionX).to_owned()).filter(|x| is_as_wide && x.ends_with('%'));
    let placed = moved(L::BackgroundPositionX, left).filter(|_| is_as_wide || stays());
    Some([placed.or_else(share)?, moved(L::BackgroundPositionY, top)?])
}

/// Returns true if contents with a negative `z-index` are painted above the background behind the section: the element
/// that paints it, or one between it and the section, establishes a stacking context (CSS 2 appendix E), or the
/// background is the canvas.
fn is_transparent_to_ancestors(ancestors: &[SpecifiedStyle]) -> bool {
    let inner = ancestors.len().saturating_sub(2);
    let stacks = |at: usize| {
        let parent = ancestors.get(at + 1).map(|parent| &*parent.style);
        ancestors[at].style.establishes_stacking_context(parent)
    };
    let paints = |own: &&SpecifiedStyle| {
        ColorLayer::from_style(&own.style).is_some() || own.style.get(Longhand::BackgroundImage) != "none"
    };
    match ancestors.iter().take(inner).position(|own| paints(&own)) {
        Some(at) => (0..=at).any(stacks),
        None => true,
    }
}

/// Discards the images of sections that change their own background under a state, because those rules do not include
/// them. Returns true if there were any.
pub(crate) fn discard_dynamic(backdrop: &mut EnvMap<AncestorBackground>, rules: &[Rule]) -> bool {
    let is_own = |rule: &&Rule| rule.state.is_some() && rule.pseudo.is_none();
    let changes = rules.iter().filter(is_own).flat_map(|rule| &rule.declarations);
    if !changes.into_iter().any(|declaration| declaration.name.starts_with("background")) {
        return false;
    }
    let mut depicted = backdrop.iter_mut().filter(|behind| !behind.image.is_empty()).peekable();
    let had_any = depicted.peek().is_some();
    for behind in depicted {
        *behind = AncestorBackground { color: behind.plain.take(), image: Vec::new(), ..std::mem::take(behind) };
    }
    had_any
}

/// Returns true if the copied background would hide contents that are painted above it on the page: contents with a
/// negative `z-index`, in a section without a background of its own.
pub(crate) fn blocks_background(
    own: &ComputedStyle,
    backdrop: &EnvMap<AncestorBackground>,
    rules: &[Vec<Rule>],
) -> bool {
    let is_behind = |name: &str, value: &str| name == Longhand::ZIndex.name() && value.starts_with('-');
    let mut inside = rules
        .iter()
        .enumerate()
        .flat_map(|(at, rules)| rules.iter().filter(move |rule| at > 0 || rule.pseudo.is_some()))
        .flat_map(|rule| &rule.declarations);
    is_transparent(own.get(Longhand::BackgroundColor))
        && own.get(Longhand::BackgroundImage) == "none"
        && backdrop.iter().any(|behind| behind.lets_show)
        && inside.any(|declaration| is_behind(&declaration.name, &declaration.value))
}

/// Adds the backgrounds to the root's values.
pub(crate) fn adjust(backdrop: &EnvMap<AncestorBackground>, values: &mut RequiredValues) {
    for (env, behind) in backdrop.entries() {
        let color = behind.color.iter().map(|color| (Longhand::BackgroundColor, color));
        for (longhand, value) in behind.image.iter().map(|(longhand, value)| (*longhand, value)).chain(color) {
            values.entry(longhand).or_insert_with(|| backdrop.filled(None))[env] = Some(value.clone());
        }
    }
}

/// The longhands that determine a background image.
pub(super) const IMAGE_LONGHANDS: [Longhand; 9] = [
    Longhand::BackgroundImage,
    Longhand::BackgroundPositionX,
    Longhand::BackgroundPositionY,
    Longhand::BackgroundSize,
    Longhand::BackgroundRepeat,
    Longhand::BackgroundAttachment,
    Longhand::BackgroundOrigin,
    Longhand::BackgroundClip,
    Longhand::BackgroundBlendMode,
];

/// Returns the nearest ancestor that paints anything, with its index, if it paints an image and the section paints
/// nothing over it.
fn ancestor_with_image<'s>(
    ancestors: &'s [SpecifiedStyle],
    own: &ComputedStyle,
) -> Option<(usize, &'s SpecifiedStyle)> {
    let has_box = |style: &ComputedStyle| style.display() != Display::Contents;
    let paints_image =
        |style: &ComputedStyle| style.get(Longhand::BackgroundImage) != "none" && !style.clips_background_to_text();
    if !is_transparent(own.get(Longhand::BackgroundColor)) || own.get(Longhand::BackgroundImage) != "none" {
        return None;
    }
    let paints = |style: &ComputedStyle| {
        has_box(style) && (paints_image(style) || !is_transparent(style.get(Longhand::BackgroundColor)))
    };
    let nearest = ancestors.iter().enumerate().find(|(_, ancestor)| paints(&ancestor.style))?;
    paints_image(&nearest.1.style).then_some(nearest)
}

/// Returns true if images look alike behind any part of an element: they are fixed to the viewport, cover the element,
/// or are repeated as tiles. Gradients over or under them are copied as well.
fn is_position_independent(style: &ComputedStyle) -> bool {
    let lists = [Longhand::BackgroundAttachment, Longhand::BackgroundSize, Longhand::BackgroundRepeat];
    let [attachments, sizes, repeats] =
        lists.map(|longhand| style.get(longhand).split(", ").map(str::to_owned).collect::<Vec<_>>());
    let image = style.get(Longhand::BackgroundImage);
    let layers = parse_components(image);
    let layers = layers.iter().flat_map(|image| split_commas(image));
    let mut images = layers.enumerate().filter(|(_, layer)| has_image(layer)).peekable();
    images.peek().is_some()
        && images.all(|(at, _)| {
            let of = |list: &[String]| list.get(at % list.len().max(1)).cloned().unwrap_or_default();
            let size = of(&sizes);
            let repeat = of(&repeats);
            let is_tile = repeat == "repeat" && !size.contains('%') && size != "contain";
            // A row of fixed tiles is at one edge of the viewport.
            let is_fixed = of(&attachments) == "fixed" && !matches!(repeat.as_str(), "repeat-x" | "repeat-y");
            is_fixed || size == "cover" || is_tile
        })
}

/// Returns true if a background layer has an image other than a gradient.
fn has_image(layer: &[Component]) -> bool {
    layer.iter().any(|part| match part {
        Component::Url(_) => true,
        Component::Function { name, .. } => !name.ends_with("gradient"),
        _ => false,
    })
}

/// Returns an ancestor's value of a longhand, unless it is the initial value.
pub(super) fn copied_background_declarations(
    ancestor: &SpecifiedStyle,
    longhand: Longhand,
) -> Option<(Longhand, String)> {
    let style = &ancestor.style;
    if all_items_are(style.get(longhand), longhand.initial()) {
        return None;
    }
    let written = value_text::value_text(ancestor, longhand);
    // Percentages refer to the painted box.
    let is_portable = value_text::is_portable(&written.replace('%', ""));
    Some((longhand, if is_portable { written } else { value_text::computed(style, longhand) }))
}

/// Returns the colour that shows through a section with a transparent or translucent background.
fn visible_background_color(ancestors: &[SpecifiedStyle], own: &ComputedStyle, has_dark: bool) -> Option<String> {
    if !is_transparent(own.get(Longhand::BackgroundColor)) {
        return composite_over(ancestors, own);
    }
    let canvas = canvas_scheme(ancestors, own);
    let nearest = ancestors.iter().find_map(|ancestor| Some((ancestor, ColorLayer::from_style(&ancestor.style)?)));
    let Some((ancestor, layer)) = nearest else {
        let named = || if own.scheme() == canvas { "Canvas".to_owned() } else { ColorLayer::canvas(canvas).css() };
        return (canvas == Scheme::Dark).then(named);
    };
    if layer.is_opaque() && ColorLayer::from_background_color(&ancestor.style) == Some(layer) {
        let color = value_text::value_text(ancestor, Longhand::BackgroundColor);
        // A white background is equal to that of an empty page, unless the canvas below it has another colour.
        let is_white = |layer| layer == ColorLayer::canvas(Scheme::Light);
        let is_plain = canvas == Scheme::Light && is_white(layer) && is_white(canvas_background(ancestors, canvas));
        // A custom property has the colour of the dark theme as well.
        let is_themed = has_dark && color.starts_with("var(");
        return (!is_plain || is_themed).then_some(color);
    }
    let seen = composited_background(ancestors, canvas);
    (seen != ColorLayer::canvas(Scheme::Light)).then(|| seen.css())
}

/// Returns the color scheme of the canvas: that of the root element (Color Adjust 1 §2.4).
pub(crate) fn canvas_scheme(ancestors: &[SpecifiedStyle], own: &ComputedStyle) -> Scheme {
    ancestors.last().map_or(own.scheme(), |root| root.style.scheme())
}

/// Returns the colour of the canvas: the background of the root element, or that of the body (CSS Backgrounds 3
/// §2.11.2).
pub(super) fn canvas_background(ancestors: &[SpecifiedStyle], scheme: Scheme) -> ColorLayer {
    let canvas = ColorLayer::canvas(scheme);
    let mut outermost = ancestors.iter().rev().take(2);
    outermost
        .find_map(|ancestor| ColorLayer::from_style(&ancestor.style))
        .map_or(canvas, |layer| layer.composite_over(canvas))
}

/// Composites a translucent background over the colour behind it; `None` if it is opaque, if the colour behind it is
/// that of an empty page, or if it is glass.
fn composite_over(ancestors: &[SpecifiedStyle], own: &ComputedStyle) -> Option<String> {
    let color = ColorLayer::from_background_color(own).filter(|color| !is_glass(own, *color))?;
    let below = composited_background(ancestors, canvas_scheme(ancestors, own));
    (!color.is_opaque() && below != ColorLayer::canvas(Scheme::Light)).then(|| color.composite_over(below).css())
}

/// Returns true for a translucent background that contents shine through, such as those that scroll below a bar. Its own
/// colour prevails over whatever is behind it.
fn is_glass(own: &ComputedStyle, color: ColorLayer) -> bool {
    let floats = matches!(own.position(), Position::Fixed | Position::Sticky);
    (floats || own.get(Longhand::BackdropFilter) != "none") && color.covers_half()
}

/// Returns the composited colour behind a section, down to the canvas.
fn composited_background(ancestors: &[SpecifiedStyle], scheme: Scheme) -> ColorLayer {
    let canvas = ColorLayer::canvas(scheme);
    effective_background(ancestors.iter().map(|ancestor| &*ancestor.style))
        .map_or(canvas, |ground| ground.composite_over(canvas))
}

/// Composites the colours that elements paint behind a text, the innermost first, down to an opaque one.
pub(crate) fn effective_background<'s>(styles: impl Iterator<Item = &'s ComputedStyle>) -> Option<ColorLayer> {
    let mut seen: Option<ColorLayer> = None;
    for layer in styles.filter_map(ColorLayer::from_style) {
        let so_far = seen.map_or(layer, |seen| seen.composite_over(layer));
        seen = Some(so_far);
        if so_far.is_opaque() {
            break;
        }
    }
    seen
}
