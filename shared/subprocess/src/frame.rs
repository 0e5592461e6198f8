//! Frames: a length in four bytes, little-endian, and that many bytes.

use std::io::{self, Read, Write};

/// Bytes of the length before a frame.
pub(crate) const LENGTH_BYTES: usize = 4;

/// Writes the frame whose content is `parts`, one after the other, and flushes.
///
/// # Errors
/// The content is 4 GiB or longer, or the stream fails.
pub fn write_frame(to: &mut impl Write, parts: &[&[u8]]) -> io::Result<()> {
    to.write_all(&length_of(parts)?)?;
    for part in parts {
        to.write_all(part)?;
    }
    to.flush()
}

/// Returns the content of the next frame, or `None` at the end of the stream.
///
/// # Errors
/// The frame is longer than `longest` bytes, the stream ends within it, or the stream fails.
pub fn read_frame(from: &mut impl Read, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; LENGTH_BYTES];
    if let Err(fault) = from.read_exact(&mut length) {
        return if fault.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(fault) };
    }
    let length = checked_length(length, longest)?;
    let mut content = Vec::new();
    from.take(length as u64).read_to_end(&mut content)?;
    if content.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(content))
}

/// Returns the length that is written before `parts`.
pub(crate) fn length_of(parts: &[&[u8]]) -> io::Result<[u8; LENGTH_BYTES]> {
    let length = parts.iter().map(|part| part.len()).sum::<usize>();
    let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "the frame is too long");
    Ok(u32::try_from(length).map_err(too_long)?.to_le_bytes())
}

/// Returns a length that was read, unless it is more than `longest`.
pub(crate) fn checked_length(length: [u8; LENGTH_BYTES], longest: usize) -> io::Result<usize> {
    let length = u32::from_le_bytes(length) as usize;
    if length > longest {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the frame is too long"));
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip_through_a_pipe() {
        for parts in [&[][..], &[&b""[..]], &[b"one"], &[b"on", b"", b"e"]] {
            let mut stream = Vec::new();
            write_frame(&mut stream, parts).unwrap();
            let from = &mut stream.as_slice();
            assert_eq!(read_frame(from, 3).unwrap().unwrap(), parts.concat());
            assert!(read_frame(from, 3).unwrap().is_none());
        }
    }

    #[test]
    fn frames_that_are_cut_or_too_long_are_refused() {
        for (bytes, longest) in [(&[255, 255, 255, 255][..], 9), (&[4, 0, 0, 0, 1], 9), (&[2, 0, 0, 0, 1, 1], 1)] {
            assert!(read_frame(&mut &*bytes, longest).is_err(), "{bytes:?}");
        }
    }
}
