//! Texts of pages on a terminal.

use super::{limner, site, text};
use limner_testkit::CannedResponse;
use serde_json::Value;

/// A page whose texts contain terminal control sequences wherever a view shows one: OSC and CSI, C1, and bidirectional
/// overrides.
const HOSTILE: &str = "<!doctype html><html lang=en><title>T\u{1b}]0;pwned\u{7}x\u{1b}[2J\u{9d}0;y\u{9c}</title>\
    <meta name=description content='d&#27;[8mhidden&#x202e;'><meta property=og:site_name content='N&#27;]0;x&#7;'>\
    <link rel=icon href='/i&#27;]0;x&#7;.svg' sizes='1&#27;[2Jx1'>\
    <style>:root{--x\\1b y:red;--size:4px}h1{font-family:'a\\1b [31mz\\9b 2J',serif;color:#123456}\
    .b{background:#fedcba;padding:16px}</style>\
    <header><a href=/><img src=/logo.svg alt='L&#27;[2J&#155;2J' class=logo></a><nav><a href=/a>A&#27;]0;x&#7;</a></nav></header>\
    <main><section id='hero&#27;[2J&#x202e;' aria-label='s&#27;]8;;x&#7;'><h1>Head&#27;]0;pwned&#7;ing&#x9b;2J&#x202e;</h1>\
    <p>Some text here &#27;[5m that is long enough to be read as a paragraph.<a class=b href=/go>Go&#27;[2J</a></section></main>\
    <svg viewBox='0 0 1 1&#27;[2J'><title>s&#27;]0;x&#7;&#155;</title><path d='M0 0h1'/></svg>\
    <img src='/p.png?&#27;[2J' alt='alt&#27;]0;x&#7;&#x2066;' srcset='/q.png 2x'>\
    <video src=/v.mp4 title='v&#27;[2J' aria-label='w&#155;2J'></video><iframe src=https://www.youtube.com/embed/abcdefghijk \
    title='y&#27;]0;x&#7;'></iframe><audio src='/a.mp3' title='a&#27;]0;x&#7;'></audio>\
    <lottie-player src=/l.json></lottie-player><footer><a href=https://x.com/some>X&#27;[2J</a></footer>";

#[tokio::test]
async fn page_texts_never_control_the_terminal() {
    let (site, folder) = site().await;
    site.on("/", CannedResponse::html(HOSTILE));
    let animation = "{\"v\":\"5\\u001b[2J\",\"nm\":\"n\\u001b]0;x\\u0007\\u202e\",\"w\":1,\"h\":1,\"fr\":1,\"ip\":0,\"op\":1,\"layers\":[]}";
    site.on("/l.json", CannedResponse::new("application/json", animation));
    let config = folder.path().join("limner.toml");
    let run = async |args: &[&str], color: bool| {
        let mut command = limner(&[args, &["--config", config.to_str().unwrap()]].concat());
        if color {
            command.env("FORCE_COLOR", "3");
        }
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    };
    let (mut pages, mut differences) = (0, 0);
    for operation in ["images", "svg", "videos", "audio", "lottie", "fonts", "tokens", "brand", "code"] {
        let out = folder.path().join(operation);
        let args = ["extract", operation, "http://site.test/", "--out", out.to_str().unwrap()];
        for (color, args) in [(false, &args[..]), (true, &args[..3])] {
            if operation == "code" && color {
                // In a pipe this is the code as it is; on a terminal it is the summary.
                let (status, seen) = super::extract_on_terminal(folder.path(), &args[1..]).await;
                assert_eq!((status, commands_in(&seen.replace('\r', ""), false).as_str()), (Some(0), ""), "{seen:?}");
                let (status, seen) =
                    super::extract_on_terminal(folder.path(), &[&args[1..], &["--print"]].concat()).await;
                assert_eq!((status, commands_in(&seen.replace('\r', ""), false).as_str()), (Some(0), ""), "{seen:?}");
                continue;
            }
            let output = run(args, color).await;
            assert!(output.status.success(), "{operation}: {}", text(&output.stderr));
            for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
                let shown = std::str::from_utf8(bytes).unwrap();
                assert_eq!(commands_in(shown, color), "", "{operation} {stream} {color}: {shown:?}");
                pages += usize::from(shown.contains('\u{fffd}'));
            }
        }
        let json = run(&["extract", operation, "http://site.test/", "--json"], false).await;
        let result: Value = serde_json::from_slice(&json.stdout).unwrap();
        let written = folder.path().join(operation).join(format!("{operation}.json"));
        assert_eq!(result, serde_json::from_slice::<Value>(&std::fs::read(written).unwrap()).unwrap(), "exact");
    }
    for color in [false, true] {
        let output = run(&["inspect", "http://site.test/"], color).await;
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(commands_in(&text(&output.stdout), color), "", "{color}");
        pages += usize::from(text(&output.stdout).contains('\u{fffd}'));
    }
    // Names and values of both sides.
    let changes =
        [("red", "blue"), ("4px", "5px"), ("#fedcba", "#010203"), ("font-family:'a", "font-family:'b"), ("='N", "='M")];
    let other = changes.into_iter().fold(HOSTILE.to_owned(), |page, (before, after)| page.replace(before, after));
    site.on("/other", CannedResponse::html(other));
    for operation in ["tokens", "brand", "code"] {
        for color in [false, true] {
            let args = ["diff", "http://site.test/", "http://site.test/other", "--op", operation];
            let output = run(&args, color).await;
            assert_eq!(output.status.code(), Some(1), "{operation} differs: {}", text(&output.stderr));
            for shown in [text(&output.stdout), text(&output.stderr)] {
                assert_eq!(commands_in(&shown, color), "", "{operation} {color}: {shown:?}");
                differences += usize::from(shown.contains('\u{fffd}'));
            }
        }
    }
    assert!(pages >= 12, "the page's texts are shown: {pages}");
    assert!(differences >= 2, "and so are those of differences: {differences}");
}

/// Returns the terminal control sequences in a text, except line breaks and, with `color`, the emphasis and colours
/// that views use.
fn commands_in(text: &str, color: bool) -> String {
    let mut text = text.replace('\n', "");
    if color {
        for style in ["[0m", "[1m", "[2m", "[36m", "[39m", "[49m"] {
            text = text.replace(&format!("\u{1b}{style}"), "");
        }
        for begin in ["\u{1b}[38;2;", "\u{1b}[48;2;"] {
            let parts: Vec<&str> = text.split(begin).collect();
            let without = |part: &&str| part.split_once('m').map_or(String::new(), |(_, rest)| rest.to_owned());
            text = parts[0].to_owned() + &parts[1..].iter().map(without).collect::<String>();
        }
    }
    let turns =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|c| c.is_control() || turns(*c)).flat_map(char::escape_default).collect()
}
