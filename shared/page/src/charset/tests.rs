use super::*;
use encoding_rs::{GBK, KOI8_R, SHIFT_JIS, WINDOWS_1251};

fn html(bytes: &[u8], header: &str) -> &'static str {
    decode_html(bytes, &MediaType::parse(header), None).encoding.name()
}

#[test]
fn documents_are_decoded_as_in_browsers() {
    let long_comment = format!("<!--{}--><meta charset=gbk>", "x".repeat(2_000));
    let long_script = format!("<script>'{}<meta charset=big5>'</script><meta charset=gbk>", "x".repeat(1_100));
    let beyond_head = format!("<p>{}<p><meta charset=gbk>\u{e9}", "x".repeat(1_100));
    let table: &[(&[u8], &str, &str)] = &[
        // the byte-order mark has precedence over all others
        (b"\xef\xbb\xbf<meta charset=gbk>", "text/html;charset=koi8-r", "UTF-8"),
        (b"\xff\xfeh\0i\0", "text/html;charset=utf-8", "UTF-16LE"),
        (b"\xfe\xff\0h\0i", "text/html", "UTF-16BE"),
        // the header has precedence over `meta`
        (b"<meta charset=gbk>", "text/html; charset=koi8-r", "KOI8-R"),
        (b"<meta charset=gbk>", "text/html; charset=utf-16le", "UTF-16LE"),
        (b"<meta charset=gbk>", "text/html; charset=no-such-thing", "GBK"),
        // meta
        (b"<meta charset=gbk>", "text/html", "GBK"),
        (b"<META CHARSET = 'Shift_JIS' >", "text/html", "Shift_JIS"),
        (b"<meta/charset=\"iso-8859-1\">", "text/html", "windows-1252"),
        (b"<meta charset=utf-16>", "text/html", "UTF-8"),
        (b"<meta charset=utf-16be>", "text/html", "UTF-8"),
        (b"<meta charset=x-user-defined>", "text/html", "windows-1252"),
        (b"<meta charset=gbk charset=koi8-r>", "text/html", "GBK"),
        (b"<meta charset=nonsense><meta charset=gbk>", "text/html", "GBK"),
        (b"<meta http-equiv=Content-Type content='text/html; charset=gbk'>", "text/html", "GBK"),
        (b"<meta content='text/html; charset=\"gbk\"' http-equiv=content-type>", "text/html", "GBK"),
        (b"<meta content='text/html; charset = gbk; x' http-equiv=content-type>", "text/html", "GBK"),
        (b"<meta content='charset charset=gbk' http-equiv=content-type>", "text/html", "GBK"),
        (b"<meta content='text/html; charset=gbk'>", "text/html", "windows-1252"),
        (b"<meta http-equiv=content-type content='charset=\"gbk'>", "text/html", "windows-1252"),
        (b"<meta name=x content='a'><p><meta charset=gbk>", "text/html", "GBK"),
        (b"<metax charset=gbk>", "text/html", "windows-1252"),
        (b"<!-- <meta charset=gbk> -->", "text/html", "windows-1252"),
        (b"<!--><meta charset=gbk>", "text/html", "GBK"),
        (b"<a title='<meta charset=gbk>'>", "text/html", "windows-1252"),
        (b"<?php <meta charset=gbk>", "text/html", "windows-1252"),
        (b"</ <meta charset=gbk>", "text/html", "windows-1252"),
        (b"<meta charset=gbk", "text/html", "windows-1252"),
        (b"<meta charset=\"gbk>", "text/html", "windows-1252"),
        // beyond the first 1,024 bytes: still in the head
        (long_comment.as_bytes(), "text/html", "GBK"),
        (long_script.as_bytes(), "text/html", "GBK"),
        (beyond_head.as_bytes(), "text/html", "UTF-8"),
        // XML declarations
        (b"<?xml version='1.0' encoding='koi8-r'?><html>", "text/html", "KOI8-R"),
        (b"<?xml version='1.0' encoding='koi8-r'?><meta charset=gbk>", "text/html", "GBK"),
        (b"<?xml version='1.0' encoding='koi8-r'?><meta charset=gbk>", "application/xhtml+xml", "KOI8-R"),
        (b"<html><meta charset=gbk>", "application/xhtml+xml", "UTF-8"),
        (b"<\0?\0x\0m\0l\0", "text/html", "UTF-16LE"),
        (b"\0<\0?\0x\0m\0l", "text/html", "UTF-16BE"),
        (b"<?xml encoding='utf-16'?>", "text/html", "UTF-8"),
        // no declaration
        (b"", "text/html", "windows-1252"),
        (b"plain", "", "windows-1252"),
        ("gr\u{fc}n".as_bytes(), "text/html", "UTF-8"),
        (b"gr\xfcn und sch\xf6n", "text/html", "windows-1252"),
    ];
    for (bytes, header, encoding) in table {
        assert_eq!(html(bytes, header), *encoding, "{:?} as {header}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn legacy_text_is_decoded_to_unicode() {
    for (encoding, text) in
        [(GBK, "设计"), (SHIFT_JIS, "デザイン"), (KOI8_R, "дизайн"), (WINDOWS_1251, "дизайн"), (WINDOWS_1252, "“é”")]
    {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable);
        let markup = [format!("<meta charset={}>", encoding.name()).as_bytes(), &bytes].concat();
        let decoded = decode_html(&markup, &MediaType::parse("text/html"), None);
        assert!(decoded.text.ends_with(text), "{}", decoded.text);
    }
    let broken = decode_html(b"\xef\xbb\xbfa\xffb", &MediaType::default(), None);
    assert_eq!(broken.text, "a\u{fffd}b");
}

#[test]
fn undeclared_encoding_is_detected_with_the_domain() {
    let (bytes, _, _) = WINDOWS_1251.encode("Привет, это обычная страница о дизайне интерфейсов");
    let decoded = decode_html(&bytes, &MediaType::parse("text/html"), Some("site.ru"));
    assert_eq!(decoded.encoding, WINDOWS_1251);
    for odd in ["", ".", "::1", "192.0.2.1", "EXAMPLE.RU", "xn--p1ai"] {
        decode_html(&bytes, &MediaType::default(), Some(odd));
    }
}

#[test]
fn stylesheets_are_decoded_as_in_browsers() {
    let table: &[(&[u8], &str, &str)] = &[
        (b"\xef\xbb\xbfa{}", "text/css;charset=gbk", "UTF-8"),
        (b"@charset \"gbk\";a{}", "text/css;charset=koi8-r", "KOI8-R"),
        (b"@charset \"gbk\";a{}", "text/css", "GBK"),
        (b"@charset 'gbk';a{}", "text/css", "Shift_JIS"),
        (b"@CHARSET \"gbk\";a{}", "text/css", "Shift_JIS"),
        (b" @charset \"gbk\";a{}", "text/css", "Shift_JIS"),
        (b"@charset \"gbk\" ;a{}", "text/css", "Shift_JIS"),
        (b"@charset \"utf-16\";a{}", "text/css", "UTF-8"),
        (b"@charset \"nonsense\";a{}", "text/css", "Shift_JIS"),
        (b"@charset \"gbk", "text/css", "Shift_JIS"),
        (b"a{}", "", "Shift_JIS"),
    ];
    for (bytes, header, encoding) in table {
        let decoded = decode_css(bytes, &MediaType::parse(header), SHIFT_JIS);
        assert_eq!(decoded.encoding.name(), *encoding, "{:?} as {header}", String::from_utf8_lossy(bytes));
    }
}
