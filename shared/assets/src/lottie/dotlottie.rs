//! Reads `.lottie` archives, versions 1 and 2 (dotlottie.io): a ZIP of a manifest, animations and
//! their images.
//!
//! Nothing is written to disk, entries are not opened as archives, and the number of entries, their
//! size and compression ratio are limited before and during extraction. Images are embedded as
//! `data:` URLs, so the animation is self-contained.

use super::animation::{self, Animation, AnimationError, MAX_BYTES};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use url::Url;
use zip::ZipArchive;

/// Maximum number of entries.
const MAX_ENTRIES: usize = 512;
/// Maximum number of animations per archive.
const MAX_ANIMATIONS: usize = 50;
/// Maximum total size of extracted data, in bytes.
const MAX_UNPACKED_BYTES: u64 = 24 * 1024 * 1024;
/// Maximum ratio of uncompressed to compressed size above [`RATIO_CHECK_MIN_BYTES`]. JSON compresses
/// well, but less than a bomb.
const MAX_RATIO: u64 = 200;
/// Size in bytes up to which an entry may have any ratio.
const RATIO_CHECK_MIN_BYTES: u64 = 1024 * 1024;

/// Folders of animations and of images in versions 1 and 2.
const ANIMATION_FOLDERS: &[&str] = &["animations", "a"];
const ASSET_FOLDERS: &[&str] = &["images", "i", "audio", "u", "assets", "animations/images"];

/// Returns true if a file has the extension of an archive.
pub(super) fn has_lottie_extension(url: &Url) -> bool {
    url.path().to_ascii_lowercase().ends_with(".lottie")
}

/// Returns true if the bytes are a ZIP.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Returns the animations of an archive by ID, in the order of its manifest.
///
/// # Errors
/// See [`AnimationError`].
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<(String, Result<Animation, AnimationError>)>, AnimationError> {
    let mut archive = Archive::open(bytes)?;
    let ids = archive.animation_ids()?;
    if ids.is_empty() {
        return Err(AnimationError::EmptyArchive);
    }
    let mut animations = Vec::new();
    for id in ids.into_iter().take(MAX_ANIMATIONS) {
        let animation = match archive.animation(&id) {
            // Exceeding the limits concerns the whole archive.
            Err(AnimationError::ArchiveTooLarge) => return Err(AnimationError::ArchiveTooLarge),
            other => other,
        };
        animations.push((id, animation));
    }
    Ok(animations)
}

struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Entry indices by name.
    names: BTreeMap<String, usize>,
    unpack_bytes_left: u64,
}

impl<'a> Archive<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, AnimationError> {
        if declared_entries(bytes).ok_or(AnimationError::NotAnArchive)? > MAX_ENTRIES {
            return Err(AnimationError::ArchiveTooLarge);
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| AnimationError::NotAnArchive)?;
        if zip.len() > MAX_ENTRIES {
            return Err(AnimationError::ArchiveTooLarge);
        }
        let names: BTreeMap<String, usize> =
            (0..zip.len()).filter_map(|index| Some((zip.name_for_index(index)?.to_owned(), index))).collect();
        if names.keys().any(|name| is_unsafe(name)) {
            return Err(AnimationError::UnsafePaths);
        }
        Ok(Self { zip, names, unpack_bytes_left: MAX_UNPACKED_BYTES })
    }

    /// Returns the bytes of an entry, if it exists.
    fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, AnimationError> {
        let Some(&index) = self.names.get(name) else { return Ok(None) };
        let entry = self.zip.by_index(index).map_err(|_| AnimationError::NotAnArchive)?;
        let packed = entry.compressed_size().max(1);
        let allowed = self.unpack_bytes_left.min(RATIO_CHECK_MIN_BYTES.max(packed.saturating_mul(MAX_RATIO)));
        // The declared sizes may be wrong, so the actual size is limited.
        let mut bytes = Vec::new();
        entry.take(allowed + 1).read_to_end(&mut bytes).map_err(|_| AnimationError::NotAnArchive)?;
        let size = bytes.len() as u64;
        if size > allowed {
            return Err(AnimationError::ArchiveTooLarge);
        }
        self.unpack_bytes_left -= size;
        Ok(Some(bytes))
    }

    /// Returns the IDs in the manifest, or else of every JSON file in the folders of animations.
    fn animation_ids(&mut self) -> Result<Vec<String>, AnimationError> {
        let manifest = self.entry("manifest.json")?;
        let manifest = manifest.and_then(|bytes| animation::parse_value(&String::from_utf8_lossy(&bytes)).ok());
        let listed = manifest.as_ref().and_then(|manifest| manifest.get("animations")?.as_array());
        let mut ids: Vec<String> = Vec::new();
        for id in listed.into_iter().flatten().filter_map(|animation| animation.get("id")?.as_str()) {
            if !ids.iter().any(|known| known == id) && ids.len() < MAX_ANIMATIONS {
                ids.push(id.to_owned());
            }
        }
        if ids.is_empty() {
            ids.extend(self.names.keys().filter_map(|name| {
                let (folder, file) = name.rsplit_once('/')?;
                file.strip_suffix(".json").filter(|_| ANIMATION_FOLDERS.contains(&folder)).map(str::to_owned)
            }));
        }
        Ok(ids)
    }

    fn animation(&mut self, id: &str) -> Result<Animation, AnimationError> {
        let names = ANIMATION_FOLDERS.iter().map(|folder| format!("{folder}/{id}.json"));
        let mut found = None;
        for name in names {
            found = self.entry(&name)?;
            if found.is_some() {
                break;
            }
        }
        let bytes = found.ok_or(AnimationError::MissingEntry)?;
        if bytes.len() > MAX_BYTES {
            return Err(AnimationError::TooLarge);
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut value = animation::parse_value(text.trim_start_matches('\u{feff}'))?;
        let was_changed = self.inline_assets(&mut value)?;
        if was_changed { animation::from_value(&value) } else { animation::parse(&text) }
    }

    /// Embeds the files of image (and audio) assets into the animation. Returns true if there were
    /// any.
    fn inline_assets(&mut self, animation: &mut Value) -> Result<bool, AnimationError> {
        let assets = animation.get_mut("assets").and_then(Value::as_array_mut);
        let mut inlined = 0;
        let mut was_changed = false;
        for asset in assets.into_iter().flatten().filter_map(Value::as_object_mut) {
            let Some(name) = self.asset_entry_name(asset) else { continue };
            let Some(bytes) = self.entry(&name)? else { continue };
            inlined += bytes.len().div_ceil(3) * 4;
            if inlined > MAX_BYTES {
                return Err(AnimationError::TooLarge);
            }
            let address = format!("data:{};base64,{}", media_type(&name), STANDARD.encode(bytes));
            asset.insert("u".to_owned(), Value::from(""));
            asset.insert("p".to_owned(), Value::from(address));
            asset.insert("e".to_owned(), Value::from(1));
            was_changed = true;
        }
        Ok(was_changed)
    }

    /// Returns the name of the entry that an asset refers to by path (`u`) and name (`p`).
    fn asset_entry_name(&self, asset: &Map<String, Value>) -> Option<String> {
        let name = asset.get("p")?.as_str().filter(|name| !name.is_empty() && !name.starts_with("data:"))?;
        let folder = asset.get("u").and_then(Value::as_str).unwrap_or_default().trim_matches('/');
        let file = name.rsplit('/').next().unwrap_or(name);
        let own = [format!("{folder}/{name}"), format!("animations/{folder}/{name}"), name.to_owned()];
        let usual = ASSET_FOLDERS.iter().map(|folder| format!("{folder}/{file}"));
        own.into_iter().chain(usual).find(|path| self.names.contains_key(path))
    }
}

/// Returns the number of entries in the end-of-central-directory record, which decides about the
/// size of the directory before that is read. ZIP64 is not supported: such archives exceed the
/// limits.
fn declared_entries(bytes: &[u8]) -> Option<usize> {
    const END_BYTES: usize = 22;
    const MAX_COMMENT_BYTES: usize = 65_535;
    let from = bytes.len().saturating_sub(END_BYTES + MAX_COMMENT_BYTES);
    let tail = &bytes[from..];
    let end = tail.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let count = tail.get(end + 10..end + 12)?;
    Some(usize::from(u16::from_le_bytes([count[0], count[1]])))
}

fn is_unsafe(name: &str) -> bool {
    let climbs = name.split(['/', '\\']).any(|part| part == "..");
    climbs || name.starts_with(['/', '\\']) || name.contains(['\0', ':']) || name.len() > 500
}

fn media_type(name: &str) -> &'static str {
    let extension = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        "avif" => "image/avif",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "m4a" => "audio/mp4",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
