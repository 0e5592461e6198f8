#!/usr/bin/env python3
"""Writes first inputs for the targets: seed.py CORPUS [FOLDER...]

They are made of the pages and sheets of the repository's tests, of a few small files below, and of every page, sheet and
drawing of the folders that are given. Nothing of such a folder is committed.

A file of the repository is a seed of every call of its target; one of a folder is a seed of one call, in turn.
"""
import io
import itertools
import pathlib
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LARGEST = 32 * 1024
# Calls among which an input of `html` chooses: `CALLS` of src/page.rs.
CALLS = (HERE / "src/page.rs").read_text().split("const CALLS:")[1].split("];")[0].count("(Operation::")
# Bytes that choose each call of style in an input of `css`.
CALLS_OF_STYLE = range(36, 36 + CALLS - 5)
SEP = b"\xff"
# Contents among which an input of `code_...` chooses: `CONTENTS` of src/texts.rs.
CONTENTS = 6

PAGES = ["services/limner/demo/index.html", "shared/extract/tests/compilers/design.html", "shared/assets/tests/pages/icons.html",
         "shared/assets/tests/pages/shop.html", "shared/test-pages/src/site.html", "tests/console/site.html",
         "tests/fidelity/pages/states.html"]
# Small pages, each about something else: a seed of one call, in turn.
PAGES_ABOUT = ["shared/brand/src/tests/sites/*.html", "shared/component/src/capture/passes/fixtures/*.html"]
SHEETS = ["services/limner/demo/styles/main.css", "services/limner/demo/styles/tokens.css", "shared/test-pages/src/site.css", "tests/console/site.css",
          "tests/fidelity/pages/states.css", "tests/formats/pages/colours.css", "tests/formats/pages/design.css",
          "tests/formats/pages/names.css", "tests/formats/pages/themes.css", "tests/formats/pages/units.css"]
DRAWINGS = ["services/limner/demo/favicon.svg", "services/limner/demo/images/folds.svg", "services/limner/demo/mask-icon.svg",
            "services/limner/demo/sprite.svg"]

SELECTORS = ["main > p.c", "#m:has(> p.c) a[href^='/']", "li:nth-child(2n+1 of .c)", "p:not(.a,.b)::before", ":is(a,b):where(.c):hover",
             "[data-k='v' i]", "*|*", "details[open] > summary", ".dark [data-theme=dark] :lang(de)", "::slotted(span)", ":host(.a) x-y",
             "a\\:b\\.c", ".\\31 0"]
VALUES = ["color:rgb(1 2 3 / 50%)", "color:color-mix(in oklch, red 20%, blue)", "color:oklch(from red l c calc(h + 10))",
          "color:light-dark(#fff, #000)", "background-image:linear-gradient(45deg in oklch, red 0 10%, 30%, blue)",
          "background-image:conic-gradient(from 1turn at 50% 50%, red, blue 90deg)",
          "width:calc(min(10px, 2rem) + clamp(1px, 5vw, 3em) * 2)", "width:calc(infinity * 1px)", 'font:italic bold 12px/1.5 "A B", serif',
          'font-variation-settings:"wght" 400, "opsz" 12', "box-shadow:inset 0 0 2px 1px red, 1px 1px #0008",
          "transform:translate(10px, 50%) rotate(1turn)", "grid-template-columns:[a] repeat(auto-fill, minmax(10px, 1fr)) [b]",
          "transition:opacity .2s cubic-bezier(.1,.2,.3,1) 1s", 'background-image:image-set("a.png" 1x, url(b.png) 2x type("image/png"))',
          "clip-path:polygon(0 0, 100% 0, 50% 100%)", 'content:"a" counter(x, upper-roman) attr(title)', "--x:{a:b} [c] (d)",
          "filter:blur(2px) drop-shadow(0 0 1px red)", "width:var(--y, calc(1px * 2))", "width:round(up, 5px, 2px)", "aspect-ratio:16/9"]
SRCSETS = [b"a.png 1x, b.png 2x", b"a.png 320w, b.png 640w 200h\xff(min-width: 500px) 50vw, 100vw\xff(prefers-color-scheme: dark)",
           b"data:image/png;base64,AAAA 1x, ,b,c 2x, d(e,f) 1.5x", b"/a?w=1,2 1e3w, b 0x\xffcalc(100vw - 2rem)"]
MARKUP_OF_SVG = [
    '<g id=a><use href=#a /></g><style>.a{fill:red}</style><path class=a fill="url(#b)"/><linearGradient id=b><stop stop-color=red /></linearGradient>',
    '<symbol id="a" viewBox="0 0 1 1"><title>T</title><path d="M0 0h1"/></symbol><foreignObject><p onclick=a>b</p><script>1</script></foreignObject>',
    '<text x="1">a&amp;b<tspan>c</tspan></text><a xlink:href="javascript:1"><image href="b.png"/></a>']
FEEDS = [
    '<?xml version="1.0"?><rss version="2.0"><channel><item><title>A &amp; <![CDATA[b]]></title><itunes:duration>1:02:03</itunes:duration><enclosure url="a.mp3" type="audio/mpeg" length="12"/></item></channel></rss>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/x/"><entry><title>T</title><link rel="enclosure" href="b.ogg" type="audio/ogg" length="3"/></entry></feed>',
    '{"version":"https://jsonfeed.org/version/1","items":[{"title":"T","attachments":[{"url":"c.mp3","mime_type":"audio/mpeg","size_in_bytes":1,"duration_in_seconds":2.5}]}]}']
JSON_LD = [
    '{"@context":"https://schema.org","@type":"VideoObject","name":"N","contentUrl":"a.mp4","embedUrl":"https://www.youtube.com/embed/x","duration":"PT1M2.5S","thumbnailUrl":["t.jpg"]}',
    '{"@graph":[{"@type":"Organization","name":"O","logo":{"@type":"ImageObject","url":"l.png"},"sameAs":["https://x.com/o","https://github.com/o"]},{"@type":"WebSite","publisher":{"@id":"#o"}}]}',
    '<!-- [{"@type":["PodcastEpisode"],"associatedMedia":{"@type":"AudioObject","contentUrl":"a.mp3"},}] //-->',
    '{"@type":"NewsArticle","image":["a.png",{"url":"b.png"}],"video":{"@type":"VideoObject","url":"v"}}']
ANIMATION = (
    '{"v":"5.7.4","fr":30,"ip":0,"op":60,"w":100,"h":100,"nm":"N","assets":[{"id":"i","w":1,"h":1,"u":"images/","p":"a.png","e":0},{"id":"c","layers":[]}],'
    '"layers":[{"ty":4,"ind":1,"ip":0,"op":60,"st":0,"ks":{"o":{"a":0,"k":100},"p":{"a":1,"k":[{"t":0,"s":[0,0],"i":{"x":1,"y":1},"o":{"x":0,"y":0}},{"t":30,"s":[9,9]}]}},'
    '"shapes":[{"ty":"gr","it":[{"ty":"rc","p":{"a":0,"k":[0,0]},"s":{"a":0,"k":[1,1]},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}},{"ty":"tr"}]}]},{"ty":2,"refId":"i","parent":1}]}')
DATA_URLS = ['image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><path id="a" d="M0 0"/></svg>', "image/png;base64,iVBORw0KGgo=",
             "text/css;charset=utf-8;base64,YXt9", ",a%20b", "application/json," + ANIMATION, "text/html;base64 ,PGI+"]
HEADERS = [
    b"text/html; charset=\"utf-8\"\nexample.jp\n5; url='/x'\nserver: cloudflare\ncf-mitigated: challenge\xff<title>Just a moment...</title><form><input type=password></form>",
    b'text/css\n\n0;URL=//b.test/\xff@charset "gbk";@import url(a.css) layer(x);@layer a;@import "b.css";',
    b'text/html\n\n\xff<meta http-equiv=content-type content="text/html; charset=shift_jis">\x83\x5c',
    b"application/xhtml+xml\n\n\xff\xfe\xff<\x00p\x00>\x00", b"text/html;charset=iso-2022-jp\n\n\xff\x1b$B0l\x1b(B"]
ADDRESSES = ["example.com", "https://b\u00fccher.example:8443/a?b=c#d", "http://127.0.0.1/", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/",
             "//localhost:80", "https://u:p@example.com/", "http://2130706433/", "http://a.localhost./", "page.1.2.3\nabc",
             "http://169.254.169.254/latest", "http://[64:ff9b::a00:1]:8080/"]
QUERIES = ["url=example.com", "url=a.com%2Fx%3Fy%3D1%26z&selector=a+b&framework=jsx&name=my+hero",
           "url=b%C3%BCcher.example&render=true&screenshot=full&fresh=true", "url=a.com&fields=images,count&x=1&x=2", "url=a.com&format=dtcg",
           "url=a.com&section=hero&theme=dark&selector=div%5B"]
ARGUMENTS = ['{"url":"a.com"}', '{"url":" a.com ","render":true,"fresh":true,"page":2}',
             '{"url":"a.com","framework":"jsx","section":"hero","selector":"#a","theme":"dark","name":"X","fields":["code","css"]}',
             '{"url":"a.com","kinds":["images","fonts"],"animations":true,"screenshot":"full"}', '{"url":"a.com","format":"css","fields":"colors,spacing"}']
AUTHORIZATIONS = [
    b"response_type=code&client_id=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcb&state=s&scope=extract+offline_access&resource=x&resource=y\xffhttp://127.0.0.1/cb\xffhttps://app.example/cb",
    b"redirect_uri=https://app.example/cb?x=1\xffhttps://app.example/cb?x=1", b"redirect_uri=com.example.app:/cb\xffcom.example.app:/cb",
    b"redirect_uri=javascript:alert(1)", b"redirect_uri=http://[::1]:8080/cb\xffhttp://[::1]/cb", b"https://app.example/cb?iss=a"]
FRAMEWORKS = ["html", "tailwind", "jsx", "vue", "elementor", "shopify"]


def nasty_texts():
    """The texts that the tests of compilers hold emitted code against."""
    source = (ROOT / "shared/extract/tests/compilers/hostile.rs").read_text()
    table = source.split("const NASTY: &[&str] = &[")[1].split("\n];")[0]
    for literal in re.findall(r'^\s*"(.*)",$', table, re.M):
        literal = re.sub(r"\\u\{([0-9a-f]+)\}", lambda match: chr(int(match[1], 16)), literal)
        yield literal.replace('\\"', '"').replace("\\\\", "\\").encode()


def archive(manifest, folder, compression):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as entries:
        entries.writestr("manifest.json", manifest)
        entries.writestr(f"{folder}x.json", ANIMATION)
        entries.writestr("images/a.png", b"\x89PNG")
    return packed.getvalue()


def chosen(choices, texts):
    """Every text after every choice."""
    for text in texts:
        text = text if isinstance(text, bytes) else text.encode()
        yield from (bytes([choice]) + text for choice in choices)


def in_turn(choices, texts):
    """Every text after one of the choices."""
    return (bytes([choice]) + text for choice, text in zip(itertools.cycle(choices), texts))


def seeds(own, others):
    for target, kind, choices in [("html", ".html", range(CALLS)), ("css", ".css", [0, *CALLS_OF_STYLE]), ("svg", ".svg", [0, 1, 2, 128])]:
        yield from ((target, seed) for seed in chosen(choices, own[kind]))
        yield from ((target, seed) for seed in in_turn(choices, others[kind]))
    yield from (("svg", seed) for seed in chosen([0, 1, 2, 128], MARKUP_OF_SVG))
    yield from (("selectors", seed) for seed in chosen(range(3), SELECTORS))
    yield "selectors", b'\x03<main id=a><p class="b c">x<p class=b>y</main>'
    yield from (("values", seed) for seed in chosen([0, 7, 30], VALUES))
    yield from (("srcset", seed) for seed in SRCSETS)
    yield from (("feed", seed.encode()) for seed in FEEDS)
    yield "feed", (ROOT / "services/limner/demo/feed.xml").read_bytes()
    yield "feed", ("\ufeff" + FEEDS[0]).encode("utf-16-le")
    yield from (("json_ld", seed) for seed in chosen(range(5), JSON_LD))
    yield from (("lottie", seed) for seed in chosen(range(3), [ANIMATION, "lottie.loadAnimation({path: 'b.json'}); var d = " + ANIMATION]))
    for manifest, folder in [('{"version":"1","animations":[{"id":"x"}]}', "animations/"), ('{"version":"2","animations":[{"id":"x"},{"id":"y"}]}', "a/")]:
        yield "dotlottie", b"\0" + archive(manifest, folder, zipfile.ZIP_STORED)
        yield "dotlottie", b"\0" + archive(manifest, folder, zipfile.ZIP_DEFLATED)
        parts = [b"manifest.json", manifest.encode(), f"{folder}x.json".encode(), ANIMATION.encode(), b"images/a.png", b"png"]
        yield from (("dotlottie", seed) for seed in chosen([1, 3], [SEP.join(parts)]))
    yield from (("data_url", seed) for seed in chosen([0, 1, 4, 6, 11], DATA_URLS))
    yield from (("mime", seed) for seed in HEADERS)
    yield from (("url_policy", seed.encode()) for seed in ADDRESSES)
    yield from (("query", seed) for seed in chosen([0, 2, 3], QUERIES))
    yield from (("mcp", seed) for seed in chosen(range(5), ARGUMENTS))
    yield from (("oauth", seed) for seed in AUTHORIZATIONS)
    texts = list(nasty_texts())
    for framework in FRAMEWORKS:
        for at in range(0, len(texts), 4):
            yield f"code_{framework}", bytes([at // 4 % CONTENTS]) + SEP.join(texts[at:at + 4])
        for choice in range(CONTENTS):
            yield f"code_{framework}", bytes([choice]) + SEP.join([b"A title", b"A hint", b"Some words", b"More", b""])


def main(corpus, folders):
    read = lambda names: [(ROOT / name).read_bytes() for name in names]
    own = {".html": read(PAGES), ".css": read(SHEETS), ".svg": read(DRAWINGS)}
    others = {".html": read(sorted(path for pattern in PAGES_ABOUT for path in ROOT.glob(pattern))), ".css": [], ".svg": []}
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*")):
        if path.suffix in others and path.is_file() and path.stat().st_size <= LARGEST:
            others[path.suffix].append(path.read_bytes())
    counts = {}
    for target, seed in seeds(own, others):
        counts[target] = counts.get(target, 0) + 1
        folder = corpus / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"seed-{counts[target]:04}").write_bytes(seed)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
