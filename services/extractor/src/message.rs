//! Frames sent by an extraction process: a tag of one byte, then the content.

use limner_proto::v1;
use prost::Message;
use std::io;
use std::time::Duration;

/// A frame of a response. Any number of [`Frame::LayoutTime`] precedes the end of the call.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    /// Processor time used by the layout process since the last such frame.
    LayoutTime(Duration),
    /// The end of the call.
    End(CallOutcome),
}

/// The end of a call in its process.
#[derive(Debug, PartialEq)]
pub(crate) enum CallOutcome {
    /// The answer.
    Answer(v1::ExtractResponse),
    /// The core panicked: message and location of the panic.
    Panicked(String),
    /// Layout was unavailable, without a fault of the page.
    LayoutUnavailable(String),
}

const LAYOUT_TIME: u8 = 1;
const ANSWER: u8 = 2;
const PANICKED: u8 = 3;
const LAYOUT_UNAVAILABLE: u8 = 4;

impl Frame {
    /// Returns the tag and the content as they are sent.
    pub(crate) fn encode(&self) -> ([u8; 1], Vec<u8>) {
        match self {
            Self::LayoutTime(used) => {
                let micros = u64::try_from(used.as_micros()).unwrap_or(u64::MAX);
                ([LAYOUT_TIME], micros.to_le_bytes().to_vec())
            }
            Self::End(CallOutcome::Answer(response)) => ([ANSWER], response.encode_to_vec()),
            Self::End(CallOutcome::Panicked(message)) => ([PANICKED], message.clone().into_bytes()),
            Self::End(CallOutcome::LayoutUnavailable(cause)) => ([LAYOUT_UNAVAILABLE], cause.clone().into_bytes()),
        }
    }

    /// Decodes a received frame.
    ///
    /// # Errors
    /// The frame is malformed.
    pub(crate) fn decode(frame: Vec<u8>) -> io::Result<Self> {
        let broken = || io::Error::new(io::ErrorKind::InvalidData, "not a frame of an extraction process");
        let mut content = prost::bytes::Bytes::from(frame);
        if content.is_empty() {
            return Err(broken());
        }
        let tag = content.split_to(1)[0];
        let text = |content: &[u8]| String::from_utf8_lossy(content).into_owned();
        Ok(Self::End(match tag {
            LAYOUT_TIME => {
                let micros = content.as_ref().try_into().map_err(|_| broken())?;
                return Ok(Self::LayoutTime(Duration::from_micros(u64::from_le_bytes(micros))));
            }
            // The body of the result is a slice of the received bytes, not a copy.
            ANSWER => CallOutcome::Answer(v1::ExtractResponse::decode(content).map_err(io::Error::other)?),
            PANICKED => CallOutcome::Panicked(text(&content)),
            LAYOUT_UNAVAILABLE => CallOutcome::LayoutUnavailable(text(&content)),
            _ => return Err(broken()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip_through_a_pipe() {
        let extraction = v1::Extraction { body: "{}".into(), ..v1::Extraction::default() };
        for frame in [
            Frame::LayoutTime(Duration::from_micros(1_234_567)),
            Frame::End(CallOutcome::Answer(v1::ExtractResponse { extraction: Some(extraction), failure: None })),
            Frame::End(CallOutcome::Panicked("index out of bounds, at a.rs:1:2".into())),
            Frame::End(CallOutcome::LayoutUnavailable(String::new())),
        ] {
            let (tag, content) = frame.encode();
            assert_eq!(Frame::decode([&tag[..], &content].concat()).unwrap(), frame);
        }
    }

    #[test]
    fn result_is_a_slice_of_the_received_frame() {
        let extraction = v1::Extraction { body: "{}".repeat(1_000).into(), ..v1::Extraction::default() };
        let response = v1::ExtractResponse { extraction: Some(extraction), failure: None };
        let (tag, content) = Frame::End(CallOutcome::Answer(response)).encode();
        let received = [&tag[..], &content].concat();
        let own = received.as_ptr_range();
        let Frame::End(CallOutcome::Answer(response)) = Frame::decode(received).unwrap() else { panic!("an answer") };
        assert!(own.contains(&response.extraction.unwrap().body.as_ptr()), "the body was copied");
    }

    #[test]
    fn malformed_frames_are_refused() {
        for frame in [&[][..], &[0], &[9, 1], &[LAYOUT_TIME, 1, 2], &[ANSWER, 255, 255]] {
            assert!(Frame::decode(frame.to_vec()).is_err(), "{frame:?}");
        }
    }
}
