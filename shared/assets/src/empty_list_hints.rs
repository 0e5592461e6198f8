//! Advises callers when a list is empty on a page that may have such items elsewhere: in frames, or
//! in what its scripts add.

use crate::image_references::key;
use crate::media::player_frames::{is_widget, player_kind};
use crate::media::provider::recognise;
use limner_page::ReadMethod;
use limner_page::dom::Element;
use limner_page_view::PageView;
use limner_types::Operation;
use limner_types::result::ResultHeader;
use url::{Position, Url};

/// Hosts of frames that hold no content: measurement, consent, bot protection, sign-in.
const INVISIBLE_FRAMES: &[&str] = &[
    "googletagmanager.com",
    "doubleclick.net",
    "google.com/recaptcha",
    "recaptcha.net",
    "hcaptcha.com",
    "challenges.cloudflare.com",
    "facebook.com/tr",
    "accounts.google.com",
    "js.stripe.com",
    "cookiebot.com",
];
/// Words in the URL of a script, or in its text, that name a player of video, audio or Lottie.
const VIDEO_WORDS: &[&str] = &[
    "player",
    "video",
    "hls",
    "dash.",
    "youtube",
    "vimeo",
    "wistia",
    "plyr",
    "brightcove",
    "vidyard",
    ".mp4",
    ".m3u8",
];
const AUDIO_WORDS: &[&str] =
    &["player", "audio", "podcast", "howler", "wavesurfer", "soundcloud", "spotify", "plyr", ".mp3"];
const LOTTIE_WORDS: &[&str] = &["lottie", "bodymovin"];

const ADDED_BY_SCRIPTS: &str = "Nothing of this kind is in the page's markup, but its scripts may add some. Retry with render=true (+5 credits) to read it in a browser.";
const NO_BROWSER: &str = "Nothing of this kind is in the page's markup, but its scripts may add some. This service has no browser to run them.";

/// Returns the common members of a list of that length: an empty one may have a hint.
pub(crate) fn common(view: &PageView<'_>, operation: Operation, count: usize) -> ResultHeader {
    let mut common = view.common();
    if count == 0 && common.hint.is_none() {
        common.hint = hint(view, operation);
    }
    common
}

/// Returns the advice for an empty list of `operation`; `None` if nothing suggests that a visitor
/// sees more.
fn hint(view: &PageView<'_>, operation: Operation) -> Option<String> {
    let scripts = || {
        if view.page.read_by != ReadMethod::Static {
            return None;
        }
        let adds = view.document.elements_named("script").any(|(node, script)| {
            let text = || view.document.text_content(node);
            is_executable(script) && may_add(operation, script.attr("src").unwrap_or_default(), &text)
        });
        let advice = if view.render_available { ADDED_BY_SCRIPTS } else { NO_BROWSER };
        adds.then(|| advice.to_owned())
    };
    frame(view).or_else(scripts)
}

fn frame(view: &PageView<'_>) -> Option<String> {
    let frames = view.document.elements().filter(|(_, element)| element.is_html("iframe") || element.is_html("frame"));
    let url = frames.filter(|(_, element)| !is_hidden(element)).find_map(|(_, element)| {
        let source = ["src", "data-src", "data-lazy-src"].iter().find_map(|name| element.attr(name))?;
        let url = view.resolve(source).filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let was_read = element.is_html("frame") && view.page.resources.contains_key(key(&url));
        let is_page = key(&url) == view.page.url;
        (!was_read && !is_page && !is_invisible(&url) && !is_embedded(element, &url)).then_some(url)
    })?;
    Some(format!(
        "Nothing of this kind is in the page itself. It shows other pages in frames, which are not read with it: call again with the address of a frame, such as {url}"
    ))
}

fn is_invisible(url: &Url) -> bool {
    let host_and_path = &url[Position::BeforeHost..Position::AfterPath];
    INVISIBLE_FRAMES.iter().any(|part| host_and_path.contains(part))
}

/// Returns true for players, maps and other widgets, which are no pages of the site.
fn is_embedded(frame: &Element, url: &Url) -> bool {
    is_widget(url) || recognise(url).is_some() || player_kind(frame, url).is_some()
}

fn is_hidden(frame: &Element) -> bool {
    let style = frame.attr("style").unwrap_or_default().replace(' ', "").to_ascii_lowercase();
    frame.attr("hidden").is_some()
        || frame.is_tiny("width")
        || frame.is_tiny("height")
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

/// Returns true for scripts that browsers run.
fn is_executable(script: &Element) -> bool {
    let kind = script.attr("type").unwrap_or_default().trim().to_ascii_lowercase();
    kind.is_empty() || kind == "module" || kind.ends_with("javascript") || kind.ends_with("ecmascript")
}

fn may_add(operation: Operation, source: &str, text: &dyn Fn() -> String) -> bool {
    let words = match operation {
        Operation::Videos => VIDEO_WORDS,
        Operation::Audio => AUDIO_WORDS,
        Operation::Lottie => LOTTIE_WORDS,
        _ => return true,
    };
    let names = |text: &str| {
        let text = text.to_ascii_lowercase();
        words.iter().any(|word| text.contains(word))
    };
    if source.is_empty() { names(&text()) } else { names(source) }
}

#[cfg(test)]
mod tests {
    use crate::test_support::{page, result};
    use limner_page::ReadMethod;
    use limner_types::Operation;

    /// Returns the hint of an operation's result.
    fn hint(operation: Operation, html: &str, read_by: ReadMethod) -> Option<String> {
        let mut page = page(html);
        page.read_by = read_by;
        result(operation, &page)["hint"].as_str().map(str::to_owned)
    }

    #[test]
    fn empty_lists_say_where_more_may_be() {
        use Operation::{Audio, Images, Lottie, Videos};
        let (in_frames, by_scripts) = ("other pages in frames", "its scripts may add");
        for (operation, html, expected) in [
            (Images, "<p>Words</p>", None),
            (Images, "<p>Words</p><script src=app.js></script>", Some(by_scripts)),
            (Images, "<img src=a.png><script src=app.js></script><iframe src=/f></iframe>", None),
            (Images, "<script type=application/json>{}</script>", None),
            (Images, "<iframe src=/inner></iframe>", Some(in_frames)),
            (Images, "<iframe src=/inner width=0 height=0></iframe><iframe srcdoc='<p>x'></iframe>", None),
            (Images, "<iframe src='https://www.google.com/maps/embed?pb=!1m18'></iframe>", None),
            (Images, "<iframe src='https://www.youtube.com/embed/6ecK0zLTbn8'></iframe>", None),
            (Videos, "<iframe src='https://www.googletagmanager.com/ns.html?id=x'></iframe>", None),
            (Videos, "<script src=/theme.js></script>", None),
            (Videos, "<script src=/video.min.js></script>", Some(by_scripts)),
            (Audio, "<script>new Howl(options)</script>", None),
            (Audio, "<script src=/howler.js></script>", Some(by_scripts)),
            (Lottie, "<script>lottie.loadAnimation(options)</script>", Some(by_scripts)),
        ] {
            let found = hint(operation, html, ReadMethod::Static);
            assert_eq!(found.is_some(), expected.is_some(), "{operation} {html}: {found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()), "{operation} {html}");
        }
        assert_eq!(hint(Images, "<script src=app.js></script>", ReadMethod::Browser), None);
        let of_frame = hint(Images, "<iframe src=/inner></iframe>", ReadMethod::Browser).unwrap();
        assert!(of_frame.ends_with("https://page.example/inner"), "{of_frame}");
    }
}
