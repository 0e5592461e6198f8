//! Units and the lengths that relative units refer to (Values 4, section 6).

/// The lengths that relative units resolve against, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    /// The element's own font size: `1em`.
    pub font_size: f64,
    /// The root's font size: `1rem`.
    pub root_font_size: f64,
    /// The element's own line height: `1lh`.
    pub line_height: f64,
    /// The root's line height: `1rlh`.
    pub root_line_height: f64,
    /// Width of the viewport: `100vw`.
    pub viewport_width: f64,
    /// Height of the viewport: `100vh`.
    pub viewport_height: f64,
    /// Width of the query container; that of the viewport if unknown.
    pub container_width: f64,
    /// `1ch` in em.
    pub digit_width: f64,
    /// `1ex` in em.
    pub x_height: f64,
}

impl Lengths {
    /// Returns the initial values in a viewport of that size, as media queries use them.
    pub fn initial(width: f64, height: f64) -> Self {
        Self {
            font_size: 16.0,
            root_font_size: 16.0,
            line_height: 18.0,
            root_line_height: 18.0,
            viewport_width: width,
            viewport_height: height,
            container_width: width,
            digit_width: 0.5,
            x_height: 0.5,
        }
    }

    /// Converts a length to CSS pixels; returns `None` for other units.
    pub(crate) fn to_px(self, value: f64, unit: &str) -> Option<f64> {
        let factor = match unit {
            "px" => 1.0,
            "rem" => self.root_font_size,
            "em" => self.font_size,
            "cm" => 96.0 / 2.54,
            "mm" => 96.0 / 25.4,
            "q" => 96.0 / 101.6,
            "in" => 96.0,
            "pt" => 96.0 / 72.0,
            "pc" => 16.0,
            "ex" => self.font_size * self.x_height,
            "rex" => self.root_font_size * self.x_height,
            "ch" => self.font_size * self.digit_width,
            "rch" => self.root_font_size * self.digit_width,
            "cap" => self.font_size * 0.7,
            "rcap" => self.root_font_size * 0.7,
            "ic" => self.font_size,
            "ric" => self.root_font_size,
            "lh" => self.line_height,
            "rlh" => self.root_line_height,
            "vw" | "svw" | "lvw" | "dvw" | "vi" | "svi" | "lvi" | "dvi" => self.viewport_width / 100.0,
            "vh" | "svh" | "lvh" | "dvh" | "vb" | "svb" | "lvb" | "dvb" => self.viewport_height / 100.0,
            "vmin" | "svmin" | "lvmin" | "dvmin" => self.viewport_width.min(self.viewport_height) / 100.0,
            "vmax" | "svmax" | "lvmax" | "dvmax" => self.viewport_width.max(self.viewport_height) / 100.0,
            "cqw" | "cqi" => self.container_width / 100.0,
            "cqh" | "cqb" => self.viewport_height / 100.0,
            "cqmin" => self.container_width.min(self.viewport_height) / 100.0,
            "cqmax" => self.container_width.max(self.viewport_height) / 100.0,
            _ => return None,
        };
        Some(value * factor)
    }
}

/// Converts an angle to degrees.
pub(crate) fn to_degrees(value: f64, unit: &str) -> Option<f64> {
    Some(match unit {
        "deg" => value,
        "grad" => value * 0.9,
        "rad" => value.to_degrees(),
        "turn" => value * 360.0,
        _ => return None,
    })
}

/// Converts a time to seconds.
pub(crate) fn to_seconds(value: f64, unit: &str) -> Option<f64> {
    match unit {
        "s" => Some(value),
        "ms" => Some(value / 1000.0),
        _ => None,
    }
}

/// Converts a resolution to dots per `px` unit.
pub(crate) fn to_dppx(value: f64, unit: &str) -> Option<f64> {
    match unit {
        "dppx" | "x" => Some(value),
        "dpi" => Some(value / 96.0),
        "dpcm" => Some(value * 2.54 / 96.0),
        _ => None,
    }
}
