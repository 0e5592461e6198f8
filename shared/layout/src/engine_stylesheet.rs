//! Computed styles as a stylesheet for the engine: one class for each distinct set of values.

use crate::fonts::Fonts;
use crate::web_font_metrics::{MetricsAdjustment, WebFonts};
use limner_style::ComputedStyle;
use limner_style::computed::{BorderCollapse, Display};
use limner_style::property::Longhand;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// Properties that are not inherited, with their initial values, which are not written.
const NON_INHERITED: &[(Longhand, &str)] = &[
    (Longhand::Position, "static"),
    (Longhand::Float, "none"),
    (Longhand::Clear, "none"),
    (Longhand::Top, "auto"),
    (Longhand::Right, "auto"),
    (Longhand::Bottom, "auto"),
    (Longhand::Left, "auto"),
    (Longhand::OverflowX, "visible"),
    (Longhand::OverflowY, "visible"),
    (Longhand::BoxSizing, "content-box"),
    (Longhand::Width, "auto"),
    (Longhand::Height, "auto"),
    (Longhand::MinWidth, "auto"),
    (Longhand::MinHeight, "auto"),
    (Longhand::MaxWidth, "none"),
    (Longhand::MaxHeight, "none"),
    (Longhand::AspectRatio, "auto"),
    (Longhand::MarginTop, "0px"),
    (Longhand::MarginRight, "0px"),
    (Longhand::MarginBottom, "0px"),
    (Longhand::MarginLeft, "0px"),
    (Longhand::PaddingTop, "0px"),
    (Longhand::PaddingRight, "0px"),
    (Longhand::PaddingBottom, "0px"),
    (Longhand::PaddingLeft, "0px"),
    (Longhand::FlexDirection, "row"),
    (Longhand::FlexWrap, "nowrap"),
    (Longhand::FlexGrow, "0"),
    (Longhand::FlexShrink, "1"),
    (Longhand::FlexBasis, "auto"),
    (Longhand::Order, "0"),
    (Longhand::JustifyContent, "normal"),
    (Longhand::AlignContent, "normal"),
    (Longhand::JustifyItems, "normal"),
    (Longhand::AlignItems, "normal"),
    (Longhand::JustifySelf, "auto"),
    (Longhand::AlignSelf, "auto"),
    (Longhand::RowGap, "normal"),
    (Longhand::ColumnGap, "normal"),
    (Longhand::GridTemplateColumns, "none"),
    (Longhand::GridTemplateRows, "none"),
    (Longhand::GridTemplateAreas, "none"),
    (Longhand::GridAutoColumns, "auto"),
    (Longhand::GridAutoRows, "auto"),
    (Longhand::GridAutoFlow, "row"),
    (Longhand::GridColumnStart, "auto"),
    (Longhand::GridColumnEnd, "auto"),
    (Longhand::GridRowStart, "auto"),
    (Longhand::GridRowEnd, "auto"),
    (Longhand::VerticalAlign, "baseline"),
    (Longhand::Transform, "none"),
    (Longhand::TransformOrigin, "50% 50%"),
    (Longhand::Translate, "none"),
    (Longhand::Rotate, "none"),
    (Longhand::Scale, "none"),
    (Longhand::TableLayout, "auto"),
    (Longhand::UnicodeBidi, "normal"),
];

/// Border widths, each with the property prefix of its border style.
const BORDERS: &[(Longhand, &str)] = &[
    (Longhand::BorderTopWidth, "border-top"),
    (Longhand::BorderRightWidth, "border-right"),
    (Longhand::BorderBottomWidth, "border-bottom"),
    (Longhand::BorderLeftWidth, "border-left"),
];

/// Inherited properties; always written, so that the engine's initial values have no effect.
const INHERITED: &[Longhand] = &[
    Longhand::FontSize,
    Longhand::FontWeight,
    Longhand::FontStyle,
    Longhand::FontStretch,
    Longhand::FontVariantCaps,
    Longhand::FontFeatureSettings,
    Longhand::FontVariationSettings,
    Longhand::WordSpacing,
    Longhand::TextAlign,
    Longhand::TextTransform,
    Longhand::TextIndent,
    Longhand::TextWrapMode,
    Longhand::WhiteSpaceCollapse,
    Longhand::WordBreak,
    Longhand::OverflowWrap,
    Longhand::LineBreak,
    Longhand::Direction,
    Longhand::Visibility,
    Longhand::BorderCollapse,
    Longhand::BorderSpacing,
];

/// The class names assigned so far, and their rules.
pub(crate) struct ClassTable<'f> {
    fonts: &'f mut Fonts,
    stylesheet: String,
    numbers: HashMap<String, usize>,
    /// Classes of known styles, by address. The styles are kept alive, so that addresses stay unique.
    classes: HashMap<usize, (Arc<ComputedStyle>, Arc<str>)>,
    text: String,
    web_fonts: WebFonts,
}

impl<'f> ClassTable<'f> {
    pub(crate) fn new(fonts: &'f mut Fonts, web_fonts: WebFonts) -> Self {
        Self {
            web_fonts,
            fonts,
            stylesheet: String::new(),
            numbers: HashMap::new(),
            classes: HashMap::new(),
            text: String::new(),
        }
    }

    pub(crate) fn fonts(&mut self) -> &mut Fonts {
        self.fonts
    }

    /// Returns the stylesheet with a rule for every class.
    pub(crate) fn into_sheet(self) -> String {
        self.stylesheet
    }

    /// Returns the classes of a computed style.
    pub(crate) fn classes(&mut self, style: &Arc<ComputedStyle>) -> Arc<str> {
        let address = Arc::as_ptr(style) as usize;
        if let Some((_, classes)) = self.classes.get(&address) {
            return classes.clone();
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        self.inherited(&mut text, style);
        let inherited = self.class(&text);
        text.clear();
        write_non_inherited(&mut text, style);
        let own = self.class(&text);
        self.text = text;
        let classes: Arc<str> = format!("r{inherited} r{own}").into();
        self.classes.insert(address, (style.clone(), classes.clone()));
        classes
    }

    /// Returns the class of some declarations. Later classes override earlier ones.
    pub(crate) fn class(&mut self, declarations: &str) -> usize {
        if let Some(number) = self.numbers.get(declarations) {
            return *number;
        }
        let number = self.numbers.len();
        // Writing to a String cannot fail.
        let _ = writeln!(self.stylesheet, ".r{number}{{{declarations}}}");
        self.numbers.insert(declarations.to_owned(), number);
        number
    }

    /// Returns the difference between text of that style and text in the fallback font of its web font.
    pub(crate) fn difference(&mut self, style: &ComputedStyle) -> Option<MetricsAdjustment> {
        let weight = style.get(Longhand::FontWeight).parse().unwrap_or(400.0);
        self.web_fonts.difference(style.get(Longhand::FontFamily), weight, self.fonts)
    }

    /// Returns the class of declarations that override those of every other class.
    pub(crate) fn overriding(&mut self, declarations: &str) -> usize {
        let key = format!("!{declarations}");
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.numbers.len();
        // Writing to a String cannot fail.
        let _ = writeln!(self.stylesheet, ".r{number}.r{number}{{{declarations}}}");
        self.numbers.insert(key, number);
        number
    }

    fn inherited(&mut self, text: &mut String, style: &ComputedStyle) {
        // Writing to a String cannot fail.
        let _ = write!(text, "font-family:{};", self.fonts.resolve(style.get(Longhand::FontFamily)));
        let difference = self.difference(style);
        let spacing = style.get(Longhand::LetterSpacing);
        if let Some(difference) = difference {
            let own: f64 = spacing.strip_suffix("px").and_then(|px| px.parse().ok()).unwrap_or(0.0);
            let _ = write!(text, "letter-spacing:{:.3}px;", own + style.font_size() * difference.spacing);
        } else {
            let _ = write!(text, "letter-spacing:{spacing};");
        }
        let line_height = style.get(Longhand::LineHeight);
        match difference.and_then(|difference| difference.metrics).filter(|_| line_height == "normal") {
            Some(metrics) => {
                let _ = write!(text, "line-height:{}px;", metrics.line_height(style.font_size()));
            }
            None => {
                let _ = write!(text, "line-height:{line_height};");
            }
        }
        for longhand in INHERITED {
            let _ = write!(text, "{}:{};", longhand.name(), engine_value(*longhand, style.get(*longhand)));
        }
        if style.border_collapse() == BorderCollapse::Collapse {
            text.push_str("border-spacing:0;");
        }
    }
}

fn write_non_inherited(text: &mut String, style: &ComputedStyle) {
    display(text, style);
    let in_table = style.display().is_layout_internal();
    for (longhand, initial) in NON_INHERITED {
        let value = style.get(*longhand);
        // A cell is never narrower than its words, whatever its computed minimum is.
        let is_minimum = matches!(longhand, Longhand::MinWidth | Longhand::MinHeight);
        if value != *initial && !(in_table && is_minimum && value == "0px") {
            // Writing to a String cannot fail.
            let _ = write!(text, "{}:{};", longhand.name(), engine_value(*longhand, value));
        }
    }
    // CSS 2, section 17.5.3: a table is at least as high as its contents, whatever its height.
    if style.display().is_table() && style.get(Longhand::Height) == "0px" {
        text.push_str("height:auto;");
    }
    // The engine does not support these limits.
    let at_most = style.get(Longhand::MaxWidth);
    if matches!(at_most, "fit-content" | "max-content") && matches!(style.get(Longhand::Width), "auto" | "100%") {
        let margins = [Longhand::MarginLeft, Longhand::MarginRight].map(|longhand| match style.get(longhand) {
            "auto" => "0px",
            margin => margin,
        });
        let _ = write!(text, "width:fit-content;max-width:calc(100% - {} - {});", margins[0], margins[1]);
    }
    for (longhand, name) in BORDERS {
        let width = style.get(*longhand);
        if width != "0px" {
            let _ = write!(text, "{name}:{width} solid;");
        }
    }
}

/// Returns the engine's replacement for keywords that it spells differently or lacks.
fn engine_value(longhand: Longhand, value: &str) -> Cow<'_, str> {
    let other = match (longhand, value) {
        (Longhand::TextAlign, "-webkit-center" | "-internal-center") => "-moz-center",
        (Longhand::TextAlign, "-webkit-left") => "-moz-left",
        (Longhand::TextAlign, "-webkit-right") => "-moz-right",
        (Longhand::VerticalAlign, "-webkit-baseline-middle") => "middle",
        (Longhand::WordBreak, "auto-phrase") => "normal",
        // Cells and tables have their halves of collapsed borders as paddings.
        (Longhand::BorderCollapse, _) => "separate",
        (Longhand::LineBreak, "after-white-space") => "auto",
        (Longhand::UnicodeBidi, "isolate") => "normal",
        (Longhand::Visibility, "collapse") => "hidden",
        _ => return truncate_percentage(value),
    };
    Cow::Borrowed(other)
}

/// Lowers the last digit of percentages that may be rounded up. Browsers cut lengths to 64ths of a pixel, so that six
/// columns of `16.66667%` fit into a line; the engine's sum exceeds the line.
fn truncate_percentage(value: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut written = 0;
    for (end, _) in value.match_indices('%') {
        let start = value[..end].trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-')).len();
        let decimals = value[start..end].split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let Some(share) = value[start..end].parse::<f64>().ok().filter(|_| (3..9).contains(&decimals)) else {
            continue;
        };
        out.push_str(&value[written..start]);
        let less = share - 0.1_f64.powi(i32::try_from(decimals).unwrap_or_default());
        // Writing to a String cannot fail.
        let _ = write!(out, "{less:.decimals$}");
        written = end;
    }
    if written == 0 { Cow::Borrowed(value) } else { Cow::Owned(out + &value[written..]) }
}

/// Writes a `display` that the engine supports.
fn display(text: &mut String, style: &ComputedStyle) {
    let display = match style.display() {
        Display::WebkitBox | Display::WebkitInlineBox => return legacy_box(text, style),
        Display::ListItem | Display::TableCaption | Display::BlockRuby | Display::BlockMath => Display::Block,
        Display::FlowRootListItem => Display::FlowRoot,
        Display::InlineListItem | Display::Ruby | Display::RubyText => Display::Inline,
        Display::InlineFlowRootListItem | Display::Math => Display::InlineBlock,
        known => known,
    };
    let _ = write!(text, "display:{};", display.as_str());
}

/// Writes a `-webkit-box` as a single-line flex container; with `-webkit-line-clamp` as a block of that many lines.
fn legacy_box(text: &mut String, style: &ComputedStyle) {
    let inline = style.display() == Display::WebkitInlineBox;
    let vertical = style.get(Longhand::WebkitBoxOrient) == "vertical";
    let lines: Option<f64> = style.get(Longhand::WebkitLineClamp).parse().ok();
    if let (true, Some(lines)) = (vertical, lines) {
        let height = lines.clamp(1.0, 1_000.0) * style.line_height();
        let display = if inline { "inline-block" } else { "block" };
        let _ = write!(text, "display:{display};max-height:{height}px;overflow:hidden;");
        return;
    }
    let display = if inline { "inline-flex" } else { "flex" };
    let direction = if vertical { "column" } else { "row" };
    let pack = match style.get(Longhand::WebkitBoxPack) {
        "center" => "center",
        "end" => "flex-end",
        "justify" => "space-between",
        _ => "flex-start",
    };
    let align = match style.get(Longhand::WebkitBoxAlign) {
        "center" => "center",
        "start" => "flex-start",
        "end" => "flex-end",
        "baseline" => "baseline",
        _ => "stretch",
    };
    let _ = write!(text, "display:{display};flex-direction:{direction};justify-content:{pack};align-items:{align};");
}
