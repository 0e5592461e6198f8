//! The paint grid: paints the page on a coarse grid, to find the area of each colour and the colour behind a text.
//!
//! Boxes are filled in painting order (document order within a stacking level). Cells are large, and the page height
//! and the number of filled cells are capped, so that a page of a million stacked boxes costs no more than a long one.

use super::color::Rgba;
use super::gradient_coverage::ColorShare;
use limner_style::layout::Rect;
use std::collections::HashMap;

/// Edge of a cell in CSS pixels.
const CELL_SIZE: f32 = 16.0;
/// Width of the viewport in cells.
const COLUMNS: usize = 90;
/// Height of the first screen in cells.
const SCREEN_ROWS: usize = 56;
/// Maximum height of the page in cells.
const MAX_ROWS: usize = 1_000;
/// Maximum number of cells filled for one page.
const MAX_FILLS: usize = 8_000_000;
/// Maximum number of different paints.
const MAX_PAINTS: usize = 60_000;
/// Maximum number of pairs of a colour and one below it that are mixed; after that, averages are used.
const MAX_MIXES: usize = 300_000;
/// Maximum number of colours in one paint.
const MAX_COLORS_PER_PAINT: usize = 24;
/// Alpha above which an overlay on an image decides the brightness.
const STRONG_OVERLAY_ALPHA: f64 = 0.4;
/// Alpha above which an overlay hides the image.
const OPAQUE_OVERLAY_ALPHA: f64 = 0.85;

/// Brightness of a picture of which nothing is known.
const MID_GREY: f64 = 0.5;

/// The paint of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CellPaint {
    /// One colour.
    Solid(Rgba),
    /// Several colours with their shares.
    Gradient(Vec<ColorShare>),
    /// An image under an overlay: its brightness is known, but none of its colours belongs to the page.
    OverlaidImage(Vec<ColorShare>),
    /// An image whose pixels are unknown: the text on it and the ground below it tell its brightness.
    Image(UnknownImage),
}

/// An image whose pixels are unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UnknownImage {
    /// Number of the image on the page.
    number: usize,
    /// Brightness of what it covers, 0 to 255.
    ground: u8,
}

impl CellPaint {
    /// Returns the colour with the largest share; of equal ones the first.
    pub(super) fn dominant_color(&self) -> Option<Rgba> {
        match self {
            Self::Solid(shade) => Some(*shade),
            Self::Gradient(parts) | Self::OverlaidImage(parts) => {
                parts.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(shade, _)| *shade)
            }
            Self::Image(_) => None,
        }
    }
}

pub(super) struct PaintGrid {
    rows: usize,
    cells: Vec<u16>,
    paints: Vec<CellPaint>,
    solids: HashMap<[u8; 4], u16>,
    fills_left: usize,
    pairs_left: usize,
    /// For each image, the number of characters of light and of dark text on it.
    text_on_images: Vec<[usize; 2]>,
}

impl PaintGrid {
    /// Creates the grid of a page of that height with that background.
    pub(super) fn new(height: f32, background: Rgba) -> Self {
        let rows = ((height / CELL_SIZE).ceil() as usize).clamp(SCREEN_ROWS, MAX_ROWS);
        let background = background.opaque();
        Self {
            rows,
            cells: vec![0; rows * COLUMNS],
            paints: vec![CellPaint::Solid(background)],
            solids: HashMap::from([(background.rgba, 0)]),
            fills_left: MAX_FILLS,
            pairs_left: MAX_MIXES,
            text_on_images: Vec::new(),
        }
    }

    /// Returns the area of the whole page.
    pub(super) fn all_cells(&self) -> Rect {
        Rect { x: 0.0, y: 0.0, width: COLUMNS as f32 * CELL_SIZE, height: self.rows as f32 * CELL_SIZE }
    }

    /// Fills a box. A translucent colour is mixed with the paint below.
    pub(super) fn fill(&mut self, area: Rect, paint: CellPaint) {
        match paint {
            CellPaint::Solid(shade) if shade.rgba[3] < 255 => self.overlay(area, &[(shade, 1.0)]),
            CellPaint::Gradient(color_shares) if color_shares.iter().any(|(shade, _)| shade.rgba[3] < 255) => {
                self.overlay(area, &color_shares)
            }
            CellPaint::Solid(shade) => {
                let number = self.solid_paint(shade);
                self.set(area, |_, _| number);
            }
            other => {
                let number = self.add(other);
                self.set(area, |_, _| number);
            }
        }
    }

    /// Fills a box with an image.
    pub(super) fn fill_image(&mut self, area: Rect) {
        let number = self.text_on_images.len();
        self.text_on_images.push([0, 0]);
        let mut paints: HashMap<u16, u16> = HashMap::new();
        self.set(area, |canvas, below| {
            if let Some(known) = paints.get(&below) {
                return *known;
            }
            let ground = (canvas.brightness(below) * 255.0).round() as u8;
            let paint = canvas.add(CellPaint::Image(UnknownImage { number, ground }));
            paints.insert(below, paint);
            paint
        });
    }

    fn overlay(&mut self, area: Rect, color_shares: &[ColorShare]) {
        let strength: f64 = color_shares.iter().map(|(shade, share)| shade.alpha() * share).sum();
        let mut mixed: HashMap<u16, u16> = HashMap::new();
        self.set(area, |canvas, below| {
            if let Some(known) = mixed.get(&below) {
                return *known;
            }
            let number = match &canvas.paints[usize::from(below)] {
                CellPaint::Solid(background) => {
                    let parts = mix_over(color_shares, &[(*background, 1.0)], &mut canvas.pairs_left);
                    canvas.mix(parts)
                }
                CellPaint::Gradient(parts) => {
                    let parts = mix_over(color_shares, parts, &mut canvas.pairs_left);
                    canvas.mix(parts)
                }
                CellPaint::OverlaidImage(parts) => {
                    let parts = mix_over(color_shares, parts, &mut canvas.pairs_left);
                    canvas.add(CellPaint::OverlaidImage(parts))
                }
                CellPaint::Image(_) if strength >= STRONG_OVERLAY_ALPHA => {
                    let grey = [(Rgba::from_rgb([128; 3]), 1.0)];
                    let parts = mix_over(color_shares, &grey, &mut canvas.pairs_left);
                    if strength >= OPAQUE_OVERLAY_ALPHA {
                        canvas.mix(parts)
                    } else {
                        canvas.add(CellPaint::OverlaidImage(parts))
                    }
                }
                CellPaint::Image(_) => below,
            };
            mixed.insert(below, number);
            number
        });
    }

    fn set(&mut self, area: Rect, mut paint: impl FnMut(&mut Self, u16) -> u16) {
        let cell = |edge: f32| (edge / CELL_SIZE).round().max(0.0) as usize;
        let columns = cell(area.x)..cell(area.x + area.width).min(COLUMNS);
        let rows = cell(area.y)..cell(area.y + area.height).min(self.rows);
        if columns.is_empty() || rows.is_empty() || columns.len() * rows.len() > self.fills_left {
            return;
        }
        self.fills_left -= columns.len() * rows.len();
        for row in rows {
            for at in row * COLUMNS + columns.start..row * COLUMNS + columns.end {
                self.cells[at] = paint(self, self.cells[at]);
            }
        }
    }

    fn mix(&mut self, parts: Vec<ColorShare>) -> u16 {
        match parts.as_slice() {
            [(only, _)] => self.solid_paint(*only),
            _ => self.add(CellPaint::Gradient(parts)),
        }
    }

    fn solid_paint(&mut self, shade: Rgba) -> u16 {
        if let Some(known) = self.solids.get(&shade.rgba) {
            return *known;
        }
        let number = self.add(CellPaint::Solid(shade));
        self.solids.insert(shade.rgba, number);
        number
    }

    /// Adds a paint; returns the page background if there are too many.
    fn add(&mut self, paint: CellPaint) -> u16 {
        if self.paints.len() >= MAX_PAINTS {
            return 0;
        }
        self.paints.push(paint);
        u16::try_from(self.paints.len() - 1).unwrap_or(0)
    }

    fn paint_number_at(&self, x: f32, y: f32) -> Option<u16> {
        if x < 0.0 || y < 0.0 {
            return None;
        }
        let (column, row) = ((x / CELL_SIZE) as usize, (y / CELL_SIZE) as usize);
        (column < COLUMNS && row < self.rows).then(|| self.cells[row * COLUMNS + column])
    }

    /// Returns the paint at a point of the page.
    pub(super) fn paint_at(&self, x: f32, y: f32) -> Option<&CellPaint> {
        self.paint_number_at(x, y).map(|number| &self.paints[usize::from(number)])
    }

    /// Records text of that brightness at a point: on an image it tells the image's brightness.
    pub(super) fn record_text_brightness(&mut self, x: f32, y: f32, brightness: f64, characters: usize) {
        if let Some(CellPaint::Image(image)) = self.paint_at(x, y) {
            let number = image.number;
            self.text_on_images[number][usize::from(brightness < 0.6)] += characters;
        }
    }

    /// Returns the share of the page that each colour covers, the largest first; of equal ones the darker first.
    pub(super) fn shares(&self) -> Vec<(Rgba, f64)> {
        let mut cells = vec![0_usize; self.paints.len()];
        for number in &self.cells {
            cells[usize::from(*number)] += 1;
        }
        let total = self.cells.len() as f64;
        let mut shares: HashMap<[u8; 4], (Rgba, f64)> = HashMap::new();
        let mut add = |shade: Rgba, share: f64| shares.entry(shade.rgba).or_insert((shade, 0.0)).1 += share;
        for (paint, count) in self.paints.iter().zip(cells).filter(|(_, count)| *count > 0) {
            let share = count as f64 / total;
            match paint {
                CellPaint::Solid(shade) => add(*shade, share),
                CellPaint::Gradient(parts) => parts.iter().for_each(|(shade, part)| add(*shade, share * part)),
                CellPaint::OverlaidImage(_) | CellPaint::Image(_) => {}
            }
        }
        let mut shares: Vec<(Rgba, f64)> = shares.into_values().collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.rgba.cmp(&b.0.rgba)));
        shares
    }

    /// Returns the mean brightness of the first screen, 0 to 1.
    pub(super) fn first_screen_brightness(&self) -> f64 {
        let cells = &self.cells[..SCREEN_ROWS * COLUMNS];
        let mut brightness: HashMap<u16, f64> = HashMap::new();
        let of_cell = |cell: &u16| *brightness.entry(*cell).or_insert_with(|| self.brightness(*cell));
        cells.iter().map(of_cell).sum::<f64>() / cells.len() as f64
    }

    /// Returns the brightness of a paint.
    fn brightness(&self, number: u16) -> f64 {
        match &self.paints[usize::from(number)] {
            CellPaint::Solid(shade) => shade.brightness(),
            CellPaint::Gradient(parts) | CellPaint::OverlaidImage(parts) => {
                parts.iter().map(|(shade, part)| shade.brightness() * part).sum()
            }
            CellPaint::Image(image) => self.image_brightness(*image),
        }
    }

    fn image_brightness(&self, image: UnknownImage) -> f64 {
        match self.text_on_images[image.number] {
            // White text requires a contrast of 4.5: the image is darker than 0.46, down to black.
            [light, dark] if light > dark => 0.27,
            [light, dark] if dark > light => 0.8,
            _ => (f64::from(image.ground) / 255.0 + MID_GREY) / 2.0,
        }
    }
}

/// Mixes translucent colours with the opaque paint below, while the budget of pairs lasts; after that mixes their
/// averages.
fn mix_over(color_shares: &[ColorShare], below: &[ColorShare], pairs_left: &mut usize) -> Vec<ColorShare> {
    let pairs = color_shares.len() * below.len();
    if pairs > *pairs_left {
        return composite_over(&[(average(color_shares), 1.0)], &[(average(below), 1.0)]);
    }
    *pairs_left -= pairs;
    composite_over(color_shares, below)
}

/// Returns the average of translucent colours.
fn average(color_shares: &[ColorShare]) -> Rgba {
    if let [(only, _)] = color_shares {
        return *only;
    }
    let whole: f64 = color_shares.iter().map(|(_, share)| share).sum();
    let opacity: f64 = color_shares.iter().map(|(shade, share)| shade.alpha() * share).sum();
    let channel = |at: usize| {
        let sum: f64 =
            color_shares.iter().map(|(shade, share)| f64::from(shade.rgba[at]) * shade.alpha() * share).sum();
        (sum / opacity.max(f64::MIN_POSITIVE)).round() as u8
    };
    let alpha = (opacity / whole.max(f64::MIN_POSITIVE) * 255.0).round() as u8;
    Rgba::new([channel(0), channel(1), channel(2), alpha])
}

/// Composites translucent colours over opaque ones, each over each in proportion to their shares.
fn composite_over(color_shares: &[ColorShare], below: &[ColorShare]) -> Vec<ColorShare> {
    let mut parts: Vec<ColorShare> = Vec::new();
    let mut places: HashMap<[u8; 4], usize> = HashMap::new();
    for (color, share) in color_shares {
        for (background, part) in below {
            let shade = color.composite_over(*background);
            let place = *places.entry(shade.rgba).or_insert(parts.len());
            match parts.get_mut(place) {
                Some((_, known)) => *known += share * part,
                None => parts.push((shade, share * part)),
            }
        }
    }
    if parts.len() > MAX_COLORS_PER_PAINT {
        parts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.rgba.cmp(&b.0.rgba)));
        parts.truncate(MAX_COLORS_PER_PAINT);
        let left: f64 = parts.iter().map(|(_, share)| share).sum();
        parts.iter_mut().for_each(|(_, share)| *share /= left.max(f64::MIN_POSITIVE));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shade(hex: &str) -> Rgba {
        Rgba::parse(hex).unwrap()
    }

    fn area(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect { x, y, width, height }
    }

    #[test]
    fn later_boxes_cover_earlier_ones() {
        let mut canvas = PaintGrid::new(896.0, shade("#fff"));
        canvas.fill(area(0.0, 0.0, 1440.0, 448.0), CellPaint::Solid(shade("#005eb8")));
        canvas.fill(area(0.0, 0.0, 720.0, 448.0), CellPaint::Solid(shade("#ffff0080")));
        let shares: Vec<(String, f64)> =
            canvas.shares().into_iter().map(|(shade, share)| (shade.hex(), share)).collect();
        assert_eq!(shares, [("#ffffff".to_owned(), 0.5), ("#005eb8".to_owned(), 0.25), ("#80af5c".to_owned(), 0.25)]);
        assert_eq!(canvas.paint_at(1000.0, 100.0), Some(&CellPaint::Solid(shade("#005eb8"))));
        assert_eq!(canvas.paint_at(2000.0, 100.0), None);
    }

    #[test]
    fn transparent_parts_of_gradients_show_the_background_below() {
        let mut canvas = PaintGrid::new(896.0, shade("#fff"));
        let dots = vec![(shade("#111"), 0.1), (Rgba::transparent(), 0.9)];
        canvas.fill(canvas.all_cells(), CellPaint::Gradient(dots.clone()));
        canvas.fill(canvas.all_cells(), CellPaint::Gradient(dots));
        let shares: Vec<(String, f64)> =
            canvas.shares().into_iter().map(|(shade, share)| (shade.hex(), (share * 100.0).round())).collect();
        assert_eq!(shares, [("#ffffff".to_owned(), 81.0), ("#111111".to_owned(), 19.0)]);
        assert_eq!(canvas.paint_at(100.0, 100.0).and_then(CellPaint::dominant_color), Some(shade("#fff")));
        assert!((canvas.first_screen_brightness() - 0.823).abs() < 0.001);
    }

    #[test]
    fn overlay_on_an_image_is_not_a_page_color() {
        let mut canvas = PaintGrid::new(896.0, shade("#fff"));
        canvas.fill_image(canvas.all_cells());
        canvas.fill(canvas.all_cells(), CellPaint::Solid(shade("#00000099")));
        assert!(canvas.shares().is_empty() && canvas.first_screen_brightness() < 0.25);
        canvas.fill(canvas.all_cells(), CellPaint::Solid(shade("#0f172a")));
        assert_eq!(canvas.shares().len(), 1);
    }

    #[test]
    fn text_on_an_image_tells_its_brightness() {
        let mut canvas = PaintGrid::new(896.0, shade("#fff"));
        canvas.fill_image(area(0.0, 0.0, 1440.0, 900.0));
        let brightness = |canvas: &PaintGrid| (canvas.first_screen_brightness() * 100.0).round();
        // Half as bright as its ground, half unknown.
        assert_eq!(brightness(&canvas), 75.0);
        canvas.record_text_brightness(10.0, 10.0, 1.0, 40);
        assert_eq!(brightness(&canvas), 27.0);
        canvas.record_text_brightness(10.0, 10.0, 0.0, 50);
        assert_eq!(brightness(&canvas), 80.0);
        assert!(canvas.shares().is_empty());
        let mut on_dark = PaintGrid::new(896.0, shade("#0a0a0a"));
        on_dark.fill_image(area(0.0, 0.0, 1440.0, 900.0));
        assert_eq!(brightness(&on_dark), 27.0);
        on_dark.record_text_brightness(10.0, 10.0, 0.0, 5);
        assert_eq!(brightness(&on_dark), 80.0);
    }

    #[test]
    fn mixing_falls_back_to_averages_at_the_limit() {
        let mut canvas = PaintGrid::new(896.0, shade("#fff"));
        let color_shares: Vec<ColorShare> = (0..30).map(|red| (Rgba::new([red * 8, 0, 0, 64]), 1.0 / 30.0)).collect();
        for _ in 0..10_000 {
            canvas.fill(area(0.0, 0.0, 16.0, 16.0), CellPaint::Gradient(color_shares.clone()));
        }
        assert!(
            canvas.pairs_left < 30 * MAX_COLORS_PER_PAINT
                && canvas.paints.len() < MAX_MIXES / (30 * MAX_COLORS_PER_PAINT) + 100
        );
        assert!(matches!(canvas.paint_at(1.0, 1.0), Some(CellPaint::Solid(shade)) if shade.rgba[0].abs_diff(116) < 6));
        assert_eq!(canvas.paint_at(100.0, 1.0), Some(&CellPaint::Solid(shade("#fff"))));
    }

    #[test]
    fn boxes_off_the_page_or_too_many_are_ignored() {
        let mut canvas = PaintGrid::new(1e9, shade("#fff"));
        for _ in 0..10_000 {
            canvas.fill(area(-1e9, -1e9, 3e9, 3e9), CellPaint::Solid(shade("#00000001")));
            canvas.fill_image(area(0.0, 0.0, -5.0, f32::NAN));
        }
        assert_eq!(canvas.rows, MAX_ROWS);
    }
}
