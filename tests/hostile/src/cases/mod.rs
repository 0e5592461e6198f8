//! The table of cases, by grammar.

mod code;
mod custom;
mod data;
mod headers;
mod html;
mod layout;
mod media;
mod rules;
mod selectors;
mod svg;
mod values;

use crate::case::Case;
use crate::subject::{CODE, Subject};
use limner_types::Operation;

/// All cases.
pub fn all_cases() -> Vec<Case> {
    let grammars = [
        code::cases(),
        custom::cases(),
        data::cases(),
        headers::cases(),
        html::cases(),
        layout::cases(),
        media::cases(),
        rules::cases(),
        selectors::cases(),
        svg::cases(),
        values::cases(),
    ];
    grammars.into_iter().flatten().collect()
}

const READ: Subject = Subject::Read;
const LAYOUT: Subject = Subject::Layout;
const IMAGES: Subject = Subject::Operation(Operation::Images);
const SVG: Subject = Subject::Operation(Operation::Svg);
const VIDEOS: Subject = Subject::Operation(Operation::Videos);
const AUDIO: Subject = Subject::Operation(Operation::Audio);
const LOTTIE: Subject = Subject::Operation(Operation::Lottie);
const FONTS: Subject = Subject::Operation(Operation::Fonts);
const TOKENS: Subject = Subject::Operation(Operation::Extract);
const BRAND: Subject = Subject::Operation(Operation::Brand);
const BOXED_BRAND: Subject = Subject::Boxed(Operation::Brand);
const BOXED_CODE: Subject = Subject::Boxed(Operation::Code);

/// Those that read styles.
const STYLES: &[Subject] = &[CODE, BRAND, TOKENS];
