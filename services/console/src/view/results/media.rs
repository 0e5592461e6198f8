//! Images, inline SVGs, players, animations and font faces.

use super::sources::MediaSources;
use super::{link, list, short_name, text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// Maximum size of an animation that is played, in bytes; a larger one is only named.
const MAX_ANIMATION_BYTES: usize = 2_000_000;

/// An image or an inline SVG.
pub(crate) struct Picture {
    /// URL that the image is loaded from; `None` if it cannot be shown here.
    pub(crate) src: Option<String>,
    pub(crate) href: Option<String>,
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) note: String,
    pub(crate) alt: String,
    /// For an inline SVG: the file to download, and its markup.
    pub(crate) download: Option<String>,
    pub(crate) code: String,
}

pub(super) fn image(item: &Value, sources: &MediaSources) -> Picture {
    let url = text(&item["url"]);
    let size = match (item["width"].as_u64(), item["height"].as_u64()) {
        (Some(width), Some(height)) => format!("{width} × {height}"),
        _ => text(&item["descriptor"]),
    };
    Picture {
        src: sources.picture(&url),
        href: link(&url),
        name: short_name(&url),
        source: text(&item["source"]),
        note: size,
        alt: text(&item["alt"]),
        download: None,
        code: String::new(),
    }
}

pub(super) fn svg((index, item): (usize, &Value), sources: &MediaSources) -> Picture {
    let code = text(&item["code"]);
    if item["type"] != "inline" {
        return Picture { name: short_name(&text(&item["url"])), ..image(item, sources) };
    }
    let data = format!("data:image/svg+xml;base64,{}", STANDARD.encode(standalone(&code)));
    let title = text(&item["title"]);
    Picture {
        src: Some(data.clone()),
        href: None,
        name: if title.is_empty() { format!("Inline SVG {}", index + 1) } else { title.clone() },
        source: "inline".to_owned(),
        note: text(&item["viewBox"]),
        alt: title,
        download: Some(data),
        code,
    }
}

/// Returns the markup as a file of its own: inline SVG needs no namespace, files do.
pub(super) fn standalone(code: &str) -> String {
    let begin = code.split('>').next().unwrap_or_default();
    if begin.contains("xmlns=") {
        return code.to_owned();
    }
    code.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1)
}

/// A video or audio.
pub(crate) struct Media {
    pub(crate) is_video: bool,
    /// URL that the player loads; `None` if it plays elsewhere.
    pub(crate) src: Option<String>,
    pub(crate) poster: Option<String>,
    pub(crate) href: Option<String>,
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) note: String,
}

pub(super) fn video(item: &Value, sources: &MediaSources) -> Media {
    // An embed is a page of a third party: linked, never loaded.
    let is_page = matches!(item["source"].as_str(), Some("embed")) || item["embedUrl"].is_string();
    let provider = text(&item["provider"]);
    let poster = item["poster"].as_str().and_then(|url| sources.media(url));
    Media {
        is_video: true,
        poster,
        note: if provider.is_empty() { text(&item["type"]) } else { provider },
        ..media(item, !is_page, sources)
    }
}

pub(super) fn audio(item: &Value, sources: &MediaSources) -> Media {
    let duration = text(&item["duration"]);
    let note = if duration.is_empty() { text(&item["type"]) } else { duration };
    Media { note, ..media(item, true, sources) }
}

fn media(item: &Value, plays: bool, sources: &MediaSources) -> Media {
    let url = text(&item["url"]);
    let title = text(&item["title"]);
    Media {
        is_video: false,
        src: if plays { sources.media(&url) } else { None },
        poster: None,
        href: link(&url),
        name: if title.is_empty() { short_name(&url) } else { title },
        source: text(&item["source"]),
        note: String::new(),
    }
}

/// A Lottie animation.
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) href: Option<String>,
    pub(crate) note: String,
    /// Its JSON, for the player in its frame; `None` if it is too large or missing.
    pub(crate) data: Option<String>,
}

pub(super) fn animation(item: &Value) -> Animation {
    let url = text(&item["url"]);
    let name = text(&item["name"]);
    let data = item["animation"].is_object().then(|| item["animation"].to_string());
    Animation {
        name: match (name.is_empty(), url.is_empty()) {
            (false, _) => name,
            (true, false) => short_name(&url),
            (true, true) => "Inline animation".to_owned(),
        },
        href: link(&url),
        note: format!(
            "{} × {}, {} s, {} layers",
            text(&item["width"]),
            text(&item["height"]),
            text(&item["durationSeconds"]),
            text(&item["layers"])
        ),
        data: data.filter(|data| data.len() <= MAX_ANIMATION_BYTES),
    }
}

/// A font family.
pub(crate) struct Family {
    pub(crate) name: String,
    pub(crate) used: bool,
    /// Its faces; those that differ in nothing but their characters are one.
    pub(crate) faces: Vec<Face>,
}

/// A font face.
pub(crate) struct Face {
    pub(crate) weight: String,
    pub(crate) style: String,
    pub(crate) source: String,
    pub(crate) format: String,
    /// URL of the font file for the specimen.
    pub(crate) src: Option<String>,
    /// Its files: each has other characters.
    pub(crate) files: Vec<String>,
}

/// Returns the families in the order of their first face.
pub(super) fn families(fonts: &Value, sources: &MediaSources) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for item in list(fonts) {
        let (name, used) = (text(&item["family"]), item["used"].as_bool().unwrap_or_default());
        let index = families.iter().position(|family| family.name == name).unwrap_or_else(|| {
            families.push(Family { name, used: false, faces: Vec::new() });
            families.len() - 1
        });
        let family = &mut families[index];
        family.used |= used;
        let face = face(item, sources);
        let is_same = |other: &&mut Face| (&other.weight, &other.style) == (&face.weight, &face.style);
        match family.faces.iter_mut().find(is_same) {
            Some(other) => other.files.extend(face.files),
            None => family.faces.push(face),
        }
    }
    families
}

fn face(item: &Value, sources: &MediaSources) -> Face {
    let first = list(&item["src"]).map(|source| text(&source["url"])).next().unwrap_or_default();
    let url = Some(text(&item["url"])).filter(|url| !url.is_empty()).unwrap_or(first);
    Face {
        weight: text(&item["weight"]),
        style: text(&item["style"]),
        source: text(&item["source"]),
        format: text(&item["format"]),
        src: sources.media(&url),
        files: link(&url).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn remote() -> MediaSources {
        MediaSources::default()
    }

    #[test]
    fn inline_svgs_become_images() {
        let hostile = "<svg viewBox=\"0 0 1 1\"><script>alert(1)</script></svg>";
        let shown = svg((0, &json!({"type": "inline", "code": hostile})), &remote());
        let src = shown.src.unwrap();
        let inner = STANDARD.decode(src.strip_prefix("data:image/svg+xml;base64,").unwrap()).unwrap();
        assert!(String::from_utf8(inner).unwrap().starts_with("<svg xmlns="), "an image runs no scripts");
        assert_eq!(shown.name, "Inline SVG 1");
    }

    #[test]
    fn only_https_media_plays() {
        for url in ["http://a.example/x.mp4", "javascript:alert(1)", "data:video/mp4;base64,AA"] {
            assert_eq!(video(&json!({"url": url, "source": "video"}), &remote()).src, None, "{url}");
        }
        assert!(video(&json!({"url": "https://a.example/x.mp4", "source": "video"}), &remote()).src.is_some());
        assert_eq!(video(&json!({"url": "https://www.youtube.com/embed/x", "source": "embed"}), &remote()).src, None);
    }

    #[test]
    fn faces_of_one_family_are_together() {
        let face = |family: &str, weight: &str, file: &str| {
            json!({"family": family, "weight": weight, "style": "normal", "url": format!("https://a.example/{file}"),
                "used": file == "b.woff2"})
        };
        let fonts = json!([
            face("One", "400", "a.woff2"),
            face("Two", "400", "c.woff2"),
            face("One", "400", "b.woff2"),
            face("One", "700", "d.woff2"),
        ]);
        let shown: Vec<(String, bool, Vec<(String, usize)>)> = families(&fonts, &remote())
            .into_iter()
            .map(|family| {
                let faces = family.faces.into_iter().map(|face| (face.weight, face.files.len())).collect();
                (family.name, family.used, faces)
            })
            .collect();
        let one = vec![("400".to_owned(), 2), ("700".to_owned(), 1)];
        let expected = [("One".to_owned(), true, one), ("Two".to_owned(), false, vec![("400".to_owned(), 1)])];
        assert_eq!(shown, expected);
    }
}
