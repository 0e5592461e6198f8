//! Scales of Tailwind v4's default theme. Lengths are in CSS pixels (1 rem is 16 px).

/// Font sizes with their default line height, as a multiple of the size.
pub(super) const TEXT: &[(&str, f64, f64)] = &[
    ("xs", 12.0, 1.0 / 0.75),
    ("sm", 14.0, 1.25 / 0.875),
    ("base", 16.0, 1.5),
    ("lg", 18.0, 1.75 / 1.125),
    ("xl", 20.0, 1.75 / 1.25),
    ("2xl", 24.0, 2.0 / 1.5),
    ("3xl", 30.0, 2.25 / 1.875),
    ("4xl", 36.0, 2.5 / 2.25),
    ("5xl", 48.0, 1.0),
    ("6xl", 60.0, 1.0),
    ("7xl", 72.0, 1.0),
    ("8xl", 96.0, 1.0),
    ("9xl", 128.0, 1.0),
];

/// Line heights as multiples of the font size.
pub(super) const LEADING: &[(&str, f64)] =
    &[("none", 1.0), ("tight", 1.25), ("snug", 1.375), ("normal", 1.5), ("relaxed", 1.625), ("loose", 2.0)];

/// Letter spacing in em.
pub(super) const TRACKING: &[(&str, f64)] =
    &[("tighter", -0.05), ("tight", -0.025), ("normal", 0.0), ("wide", 0.025), ("wider", 0.05), ("widest", 0.1)];

/// Font weights.
pub(super) const WEIGHTS: &[(&str, f64)] = &[
    ("thin", 100.0),
    ("extralight", 200.0),
    ("light", 300.0),
    ("normal", 400.0),
    ("medium", 500.0),
    ("semibold", 600.0),
    ("bold", 700.0),
    ("extrabold", 800.0),
    ("black", 900.0),
];

/// Widths of containers: `max-w-3xl`, `@md:`.
pub(super) const CONTAINERS: &[(&str, f64)] = &[
    ("3xs", 256.0),
    ("2xs", 288.0),
    ("xs", 320.0),
    ("sm", 384.0),
    ("md", 448.0),
    ("lg", 512.0),
    ("xl", 576.0),
    ("2xl", 672.0),
    ("3xl", 768.0),
    ("4xl", 896.0),
    ("5xl", 1024.0),
    ("6xl", 1152.0),
    ("7xl", 1280.0),
];

/// Corner radii.
pub(super) const RADII: &[(&str, f64)] = &[
    ("none", 0.0),
    ("xs", 2.0),
    ("sm", 4.0),
    ("md", 6.0),
    ("lg", 8.0),
    ("xl", 12.0),
    ("2xl", 16.0),
    ("3xl", 24.0),
    ("4xl", 32.0),
];

/// Radii of `blur()`.
pub(super) const BLURS: &[(&str, f64)] =
    &[("xs", 4.0), ("sm", 8.0), ("md", 12.0), ("lg", 16.0), ("xl", 24.0), ("2xl", 40.0), ("3xl", 64.0)];

/// Perspectives.
pub(super) const PERSPECTIVES: &[(&str, f64)] =
    &[("dramatic", 100.0), ("near", 300.0), ("normal", 500.0), ("midrange", 800.0), ("distant", 1200.0)];

/// Viewport widths that have a variant.
pub(super) const BREAKPOINTS: &[(&str, f64)] =
    &[("sm", 640.0), ("md", 768.0), ("lg", 1024.0), ("xl", 1280.0), ("2xl", 1536.0)];

/// `box-shadow` values, in the form of [`super::shadow::key`].
pub(super) const SHADOWS: &[(&str, &str)] = &[
    ("2xs", "0 1 0 0 0,0,0,0.05"),
    ("xs", "0 1 2 0 0,0,0,0.05"),
    ("sm", "0 1 3 0 0,0,0,0.1|0 1 2 -1 0,0,0,0.1"),
    ("md", "0 4 6 -1 0,0,0,0.1|0 2 4 -2 0,0,0,0.1"),
    ("lg", "0 10 15 -3 0,0,0,0.1|0 4 6 -4 0,0,0,0.1"),
    ("xl", "0 20 25 -5 0,0,0,0.1|0 8 10 -6 0,0,0,0.1"),
    ("2xl", "0 25 50 -12 0,0,0,0.25"),
];

/// `box-shadow` values that had these names before version 3, a little lighter or darker at the edge.
pub(super) const OLDER_SHADOWS: &[(&str, &str)] = &[
    ("sm", "0 1 3 0 0,0,0,0.1|0 1 2 0 0,0,0,0.06"),
    ("md", "0 4 6 -1 0,0,0,0.1|0 2 4 -1 0,0,0,0.06"),
    ("lg", "0 10 15 -3 0,0,0,0.1|0 4 6 -2 0,0,0,0.05"),
    ("xl", "0 20 25 -5 0,0,0,0.1|0 10 10 -5 0,0,0,0.04"),
];

/// `inset` shadows, in the form of [`super::shadow::key`].
pub(super) const INSET_SHADOWS: &[(&str, &str)] = &[
    ("2xs", "inset 0 1 0 0 0,0,0,0.05"),
    ("xs", "inset 0 1 1 0 0,0,0,0.05"),
    ("sm", "inset 0 2 4 0 0,0,0,0.05"),
    // Before version 3.
    ("sm", "inset 0 2 4 0 0,0,0,0.06"),
];

/// `text-shadow` values, in the form of [`super::shadow::key`].
pub(super) const TEXT_SHADOWS: &[(&str, &str)] = &[
    ("2xs", "0 1 0 0 0,0,0,0.15"),
    ("xs", "0 1 1 0 0,0,0,0.2"),
    ("sm", "0 1 0 0 0,0,0,0.075|0 1 1 0 0,0,0,0.075|0 2 2 0 0,0,0,0.075"),
    ("md", "0 1 1 0 0,0,0,0.1|0 1 2 0 0,0,0,0.1|0 2 4 0 0,0,0,0.1"),
    ("lg", "0 1 2 0 0,0,0,0.1|0 3 2 0 0,0,0,0.1|0 4 8 0 0,0,0,0.1"),
];

/// `drop-shadow()` values, in the form of [`super::shadow::key`].
pub(super) const DROP_SHADOWS: &[(&str, &str)] = &[
    ("xs", "0 1 1 0 0,0,0,0.05"),
    ("sm", "0 1 2 0 0,0,0,0.15"),
    ("md", "0 3 3 0 0,0,0,0.12"),
    ("lg", "0 4 4 0 0,0,0,0.15"),
    ("xl", "0 9 7 0 0,0,0,0.1"),
    ("2xl", "0 25 25 0 0,0,0,0.15"),
];

/// Easings, without white space.
pub(super) const EASINGS: &[(&str, &str)] = &[
    ("linear", "linear"),
    ("in", "cubic-bezier(0.4,0,1,1)"),
    ("out", "cubic-bezier(0,0,0.2,1)"),
    ("in-out", "cubic-bezier(0.4,0,0.2,1)"),
];

/// Returns the name of the step with this value.
pub(super) fn step(scale: &'static [(&'static str, f64)], value: f64) -> Option<&'static str> {
    scale.iter().find(|(_, step)| (step - value).abs() < 1e-4).map(|(name, _)| *name)
}

/// The difference in pixels up to which a length takes the name of a step.
pub(super) const TOLERANCE: f64 = 0.25;

/// Returns the name of the step that a length in pixels is at, or so near that the eye does not tell.
pub(super) fn near_step(scale: &'static [(&'static str, f64)], px: f64) -> Option<&'static str> {
    let is_near = |step: f64| (step == px) || (step > 0.0 && (step - px).abs() <= TOLERANCE);
    scale.iter().find(|(_, step)| is_near(*step)).map(|(name, _)| *name)
}

/// Returns the name of the step with this text.
pub(super) fn text_step(scale: &'static [(&'static str, &'static str)], value: &str) -> Option<&'static str> {
    scale.iter().find(|(_, step)| *step == value).map(|(name, _)| *name)
}
