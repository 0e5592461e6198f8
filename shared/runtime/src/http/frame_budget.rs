//! Limits HTTP/2 frames that are cheap for the sender and expensive for the receiver: PING, SETTINGS, PRIORITY,
//! RST_STREAM, WINDOW_UPDATE and unknown types. The library limits CONTINUATION, empty DATA and streams that are reset
//! before they are handled, but answers the others without a limit (CVE-2019-9512, 9513, 9515, CVE-2023-44487).

use std::time::Duration;
use tokio::time::Instant;

const HEADER_BYTES: usize = 9;
/// DATA, HEADERS, PUSH_PROMISE and CONTINUATION (RFC 9113 §6), which the library limits.
const UNCOUNTED_FRAMES: [u8; 4] = [0x0, 0x1, 0x5, 0x9];

/// Number of frames that a peer may send at once.
const BURST: u64 = 2_000;
/// Number of further frames per second.
const FRAMES_PER_SECOND: u64 = 100;
/// Number of bytes sent to the peer that allow it another frame: clients update the windows of the stream and of the
/// connection for every 4 KiB.
const BYTES_EACH: u64 = 1_024;

/// Counts the frames that a peer sends.
#[derive(Debug)]
pub(super) struct FrameBudget {
    /// The received part of the current frame's header.
    header: [u8; HEADER_BYTES],
    known: usize,
    /// Bytes of the current frame's payload that are still to come.
    payload: usize,
    /// Remaining budget, in units of 1/[`BYTES_EACH`] frame.
    remaining: u64,
    filled: Instant,
}

/// The peer has sent more frames than any legitimate client.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flood;

impl FrameBudget {
    pub(super) fn new() -> Self {
        Self { header: [0; HEADER_BYTES], known: 0, payload: 0, remaining: BURST * BYTES_EACH, filled: Instant::now() }
    }

    /// Records bytes that were sent to the peer.
    pub(super) fn sent(&mut self, bytes: usize) {
        self.refill(bytes as u64);
    }

    /// Counts frames in bytes that the peer sent after the preface.
    pub(super) fn received(&mut self, mut bytes: &[u8]) -> Result<(), Flood> {
        while !bytes.is_empty() {
            let skipped = self.payload.min(bytes.len());
            self.payload -= skipped;
            bytes = &bytes[skipped..];
            let read = (HEADER_BYTES - self.known).min(bytes.len());
            self.header[self.known..self.known + read].copy_from_slice(&bytes[..read]);
            self.known += read;
            bytes = &bytes[read..];
            if self.known == HEADER_BYTES {
                self.known = 0;
                let [high, middle, low, kind, ..] = self.header;
                self.payload = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
                self.count(kind)?;
            }
        }
        Ok(())
    }

    fn count(&mut self, kind: u8) -> Result<(), Flood> {
        if UNCOUNTED_FRAMES.contains(&kind) {
            return Ok(());
        }
        if self.remaining < BYTES_EACH {
            let passed = self.filled.elapsed();
            self.filled += passed;
            self.refill(units(passed));
        }
        self.remaining = self.remaining.checked_sub(BYTES_EACH).ok_or(Flood)?;
        Ok(())
    }

    fn refill(&mut self, units: u64) {
        self.remaining = self.remaining.saturating_add(units).min(BURST * BYTES_EACH);
    }
}

fn units(passed: Duration) -> u64 {
    u64::try_from(passed.as_millis()).unwrap_or(u64::MAX).saturating_mul(FRAMES_PER_SECOND * BYTES_EACH) / 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, payload: usize) -> Vec<u8> {
        let length = u32::try_from(payload).unwrap().to_be_bytes();
        let mut frame = vec![length[1], length[2], length[3], kind, 0, 0, 0, 0, 0];
        frame.resize(HEADER_BYTES + payload, 0xff);
        frame
    }

    #[tokio::test(start_paused = true)]
    async fn frames_are_counted_across_reads() {
        for (kind, payload, is_counted) in
            [(0x0, 100, false), (0x1, 20_000, false), (0x9, 0, false), (0x6, 8, true), (0x4, 0, true), (0xbe, 70, true)]
        {
            for part in [1, 7, 9, 10, 100_000] {
                let mut budget = FrameBudget::new();
                let frames = frame(kind, payload).repeat(BURST as usize);
                let outcome = frames.chunks(part).try_for_each(|part| budget.received(part));
                assert_eq!(outcome, Ok(()), "{kind} {part}");
                let outcome = budget.received(&frame(kind, payload));
                assert_eq!(outcome.is_err(), is_counted, "{kind} {part}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn time_and_sent_bytes_allow_more_frames() {
        let ping = frame(0x6, 8);
        let mut budget = FrameBudget::new();
        budget.received(&ping.repeat(BURST as usize)).unwrap();
        budget.sent(10 * 1_024);
        budget.received(&ping.repeat(10)).unwrap();
        tokio::time::advance(Duration::from_millis(500)).await;
        budget.received(&ping.repeat(50)).unwrap();
        assert_eq!(budget.received(&ping), Err(Flood));
        for _ in 0..100 {
            tokio::time::advance(Duration::from_secs(1)).await;
            budget.received(&ping.repeat(100)).unwrap();
        }
    }
}
