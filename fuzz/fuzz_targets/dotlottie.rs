//! Archives of animations: any bytes as an archive, and archives whose entries hold any bytes.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::SEPARATOR;
use limner_fuzz::page::{add_resource, answer, call, page};
use limner_types::Operation;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const FILE: &str = "https://page.example/dir/a.lottie";

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, bytes)) = data.split_first() else { return Corpus::Reject };
    let archive = if choice % 2 == 0 { Some(bytes.to_vec()) } else { packed(bytes, choice & 2 == 0) };
    let Some(archive) = archive else { return Corpus::Reject };
    let mut page = page("<dotlottie-player src=a.lottie></dotlottie-player>");
    add_resource(&mut page, FILE, "application/zip", &archive);
    answer(&page, &call(Operation::Lottie, &[])).expect("a list of animations");
    Corpus::Keep
});

/// Packs names and contents, in turn, between separators.
fn packed(bytes: &[u8], deflates: bool) -> Option<Vec<u8>> {
    let method = if deflates { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut parts = bytes.split(|byte| *byte == SEPARATOR);
    while let (Some(name), Some(body)) = (parts.next(), parts.next()) {
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(String::from_utf8_lossy(name), options).ok()?;
        writer.write_all(body).ok()?;
    }
    writer.finish().ok().map(Cursor::into_inner)
}
