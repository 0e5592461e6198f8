//! System colours (Color 4, section 6.2) of Chromium on Linux.

use super::{Color, Scheme};

/// Returns the colour of a name in lower case.
pub(super) fn system(name: &str, scheme: Scheme) -> Option<Color> {
    let (_, light, dark) = COLORS.iter().find(|(known, _, _)| *known == name)?;
    let [alpha, r, g, b] = if scheme == Scheme::Light { light } else { dark }.to_be_bytes();
    let color = Color::from_rgb(r, g, b);
    Some(Color { alpha: f64::from(alpha) / 255.0, ..color })
}

/// Returns the colour of focus rings, which only outlines can have.
pub fn focus_ring(scheme: Scheme) -> Color {
    if scheme == Scheme::Light { Color::from_rgb(16, 16, 16) } else { Color::from_rgb(238, 238, 238) }
}

/// Name, light, dark; as 0xAARRGGBB.
const COLORS: &[(&str, u32, u32)] = &[
    ("accentcolor", 0xff00_75ff, 0xff00_75ff),
    ("accentcolortext", 0xffff_ffff, 0xffff_ffff),
    ("activetext", 0xffff_0000, 0xffff_9e9e),
    ("buttonborder", 0xff00_0000, 0xffff_ffff),
    ("buttonface", 0xffef_efef, 0xff6b_6b6b),
    ("buttontext", 0xff00_0000, 0xffff_ffff),
    ("canvas", 0xffff_ffff, 0xff12_1212),
    ("canvastext", 0xff00_0000, 0xffff_ffff),
    ("field", 0xffff_ffff, 0xff3b_3b3b),
    ("fieldtext", 0xff00_0000, 0xffff_ffff),
    ("graytext", 0xff80_8080, 0xff80_8080),
    ("highlight", 0xcc00_41c6, 0xcc00_41c6),
    ("highlighttext", 0xffff_ffff, 0xffff_ffff),
    ("linktext", 0xff00_00ee, 0xff9e_9eff),
    ("mark", 0xffff_ff00, 0xffff_ff00),
    ("marktext", 0xff00_0000, 0xff00_0000),
    ("selecteditem", 0xff19_67d2, 0xff99_c8ff),
    ("selecteditemtext", 0xffff_ffff, 0xff3b_3b3b),
    ("visitedtext", 0xff55_1a8b, 0xffd0_adf0),
    ("-webkit-link", 0xff00_00ee, 0xff9e_9eff),
    ("-webkit-activelink", 0xffff_0000, 0xffff_9e9e),
    // Deprecated names (Color 4, appendix A) are aliases of those above.
    ("activeborder", 0xff00_0000, 0xffff_ffff),
    ("activecaption", 0xffff_ffff, 0xff12_1212),
    ("appworkspace", 0xffff_ffff, 0xff12_1212),
    ("background", 0xffff_ffff, 0xff12_1212),
    ("buttonhighlight", 0xffef_efef, 0xff6b_6b6b),
    ("buttonshadow", 0xffef_efef, 0xff6b_6b6b),
    ("captiontext", 0xff00_0000, 0xffff_ffff),
    ("inactiveborder", 0xff00_0000, 0xffff_ffff),
    ("inactivecaption", 0xffff_ffff, 0xff12_1212),
    ("inactivecaptiontext", 0xff80_8080, 0xff80_8080),
    ("infobackground", 0xffff_ffff, 0xff12_1212),
    ("infotext", 0xff00_0000, 0xffff_ffff),
    ("menu", 0xffff_ffff, 0xff12_1212),
    ("menutext", 0xff00_0000, 0xffff_ffff),
    ("scrollbar", 0xffff_ffff, 0xff12_1212),
    ("threeddarkshadow", 0xff00_0000, 0xffff_ffff),
    ("threedface", 0xffef_efef, 0xff6b_6b6b),
    ("threedhighlight", 0xff00_0000, 0xffff_ffff),
    ("threedlightshadow", 0xff00_0000, 0xffff_ffff),
    ("threedshadow", 0xff00_0000, 0xffff_ffff),
    ("window", 0xffff_ffff, 0xff12_1212),
    ("windowframe", 0xff00_0000, 0xffff_ffff),
    ("windowtext", 0xff00_0000, 0xffff_ffff),
];
