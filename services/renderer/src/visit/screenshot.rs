//! Captures screenshots of a stable page.

use super::Visit;
use super::isolated_world::PageWorld;
use crate::browser::VIEWPORT;
use crate::error::VisitError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide_cdp::cdp::browser_protocol::page::{CaptureScreenshotFormat, CaptureScreenshotParams, Viewport};
use limner_types::Screenshot;
use serde::Deserialize;
use std::io::{Cursor, Write};
use std::time::Duration;

/// Maximum height of one tile; higher pages are captured in several, because renderers limit the size of a surface.
const TILE: u32 = 8_000;
/// Time limit for one tile.
const SHOT: Duration = Duration::from_secs(10);

/// A screenshot of a page.
#[derive(Debug)]
pub(super) struct CapturedScreenshot {
    pub(super) png: Vec<u8>,
    /// True if the page goes on below the maximum height.
    pub(super) is_cut: bool,
}

#[derive(Deserialize)]
struct Size {
    height: f64,
}

impl Visit {
    /// Captures the viewport, or the whole page down to the maximum height.
    pub(super) async fn capture_screenshot(
        &self,
        world: &PageWorld<'_>,
        extent: Screenshot,
    ) -> Result<CapturedScreenshot, VisitError> {
        // Endless animations are captured as they are.
        let _ = world.ask::<Option<bool>>("limner.freeze()", super::EVALUATION_TIMEOUT).await;
        let (height, is_cut) = match extent {
            Screenshot::Viewport => (VIEWPORT.1, false),
            Screenshot::Full => {
                let size: Size = world.ask("limner.size()", super::EVALUATION_TIMEOUT).await?;
                let (height, limit) = (size.height.ceil() as u32, self.limits().screenshot_height);
                (height.clamp(VIEWPORT.1, limit), height > limit)
            }
        };
        let mut tiles = Vec::new();
        let mut top = 0;
        while top < height {
            let tile = (height - top).min(TILE);
            tiles.push(self.capture_clip(top, tile).await?);
            top += tile;
        }
        if tiles.len() == 1 {
            return Ok(CapturedScreenshot { png: tiles.remove(0), is_cut });
        }
        let joined = tokio::task::spawn_blocking(move || join(&tiles, height)).await;
        let joined = joined.map_err(|panic| VisitError::Internal(panic.to_string()))?;
        let png =
            joined.map_err(|cause| VisitError::Internal(format!("a screenshot could not be put together: {cause}")))?;
        Ok(CapturedScreenshot { png, is_cut })
    }

    async fn capture_clip(&self, top: u32, height: u32) -> Result<Vec<u8>, VisitError> {
        let clip = Viewport { x: 0.0, y: top.into(), width: VIEWPORT.0.into(), height: height.into(), scale: 1.0 };
        let params = CaptureScreenshotParams {
            format: Some(CaptureScreenshotFormat::Png),
            clip: Some(clip),
            capture_beyond_viewport: Some(top + height > VIEWPORT.1),
            optimize_for_speed: Some(true),
            ..Default::default()
        };
        let shot = self.page.session.call(params, SHOT.min(self.remaining())).await?;
        let png = STANDARD.decode(String::from(shot.data));
        png.map_err(|cause| VisitError::Internal(format!("a screenshot: {cause}")))
    }
}

type EncodeError = Box<dyn std::error::Error + Send + Sync>;

/// Joins tiles vertically, row by row.
fn join(tiles: &[Vec<u8>], height: u32) -> Result<Vec<u8>, EncodeError> {
    let mut whole = Vec::new();
    write_joined(&mut whole, tiles, height)?;
    Ok(whole)
}

fn write_joined(whole: &mut Vec<u8>, tiles: &[Vec<u8>], height: u32) -> Result<(), EncodeError> {
    let mut readers = Vec::new();
    for tile in tiles {
        readers.push(png::Decoder::new(Cursor::new(tile.as_slice())).read_info()?);
    }
    let first = readers.first().ok_or("no part")?.info();
    let mut encoder = png::Encoder::new(whole, first.width, height);
    encoder.set_color(first.color_type);
    encoder.set_depth(first.bit_depth);
    encoder.set_compression(png::Compression::Fast);
    let mut header = encoder.write_header()?;
    let mut writer = header.stream_writer()?;
    for reader in &mut readers {
        while let Some(row) = reader.next_row()? {
            writer.write_all(row.data())?;
        }
    }
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(height: u32, shade: u8) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 3, height);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![shade; 9 * height as usize]).unwrap();
        drop(writer);
        bytes
    }

    #[test]
    fn tiles_are_joined_vertically() {
        let whole = join(&[tile(2, 10), tile(1, 20)], 3).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(whole)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (3, 3));
        assert_eq!(pixels, [vec![10; 18], vec![20; 9]].concat());
    }
}
