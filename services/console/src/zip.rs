//! Writes ZIP archives (APPNOTE.TXT 6.3.10 §4.3) whose files are stored as they are: responses are compressed anyway.

/// 1 January 1980, the earliest date that the format has: archives of equal files are equal.
const DATE: u16 = 0x0021;
const LOCAL_HEADER: u32 = 0x0403_4b50;
const CENTRAL_HEADER: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// Names are UTF-8.
const FLAGS: u16 = 0x0800;
const VERSION: u16 = 20;

/// Returns an archive of the files. Their total size must be below 4 GiB.
pub(crate) fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let offset = size(out.len());
        let mut entry = Vec::new();
        for number in [VERSION, FLAGS, 0, 0, DATE] {
            entry.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(content), size(content.len()), size(content.len())] {
            entry.extend(number.to_le_bytes());
        }
        entry.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes());
        entry.extend(0_u16.to_le_bytes());
        out.extend(LOCAL_HEADER.to_le_bytes());
        out.extend(&entry);
        out.extend(name.as_bytes());
        out.extend(content);
        directory.extend(CENTRAL_HEADER.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&entry);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (size(out.len()), u16::try_from(files.len()).unwrap_or(u16::MAX));
    out.extend(&directory);
    out.extend(END.to_le_bytes());
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(size(directory.len()).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archive_has_the_bytes_that_the_format_asks_for() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
        let made = archive(&[("a.txt".to_owned(), b"one".to_vec()), ("é.svg".to_owned(), Vec::new())]);
        assert_eq!(made[..4], *b"PK\x03\x04");
        let end = &made[made.len() - 22..];
        assert_eq!((&end[..4], end[10]), (&b"PK\x05\x06"[..], 2));
        let start = u32::from_le_bytes(end[16..20].try_into().unwrap()) as usize;
        let length = u32::from_le_bytes(end[12..16].try_into().unwrap()) as usize;
        assert_eq!((&made[start..start + 4], start + length), (&b"PK\x01\x02"[..], made.len() - 22));
        // The second entry of the directory leads to its file.
        let second = start + 46 + "a.txt".len();
        let offset = u32::from_le_bytes(made[second + 42..second + 46].try_into().unwrap()) as usize;
        assert_eq!(&made[offset + 30..offset + 30 + "é.svg".len()], "é.svg".as_bytes());
        assert_eq!(made[30..38], *b"a.txtone");
    }
}
