//! Builds pages for tests, and calls the operations by name.

pub(crate) mod media_pages;

pub(crate) use limner_test_pages::{add_resource, external_sheet, page};

use crate::{audio, fonts, images, lottie, svg, videos};
use limner_page::{PageSnapshot, WorkBudget};
use limner_types::Operation;
use serde_json::Value;

/// Returns the result as JSON and checks that it is deterministic.
pub(crate) fn result(operation: Operation, page: &PageSnapshot) -> Value {
    let extract: limner_test_pages::Extract = match operation {
        Operation::Audio => audio::extract,
        Operation::Fonts => fonts::extract,
        Operation::Images => images::extract,
        Operation::Lottie => lottie::extract,
        Operation::Svg => svg::extract,
        Operation::Videos => videos::extract,
        Operation::Brand | Operation::Code | Operation::Extract => panic!("{operation} is in another crate"),
    };
    limner_test_pages::result(extract, page, &limner_test_pages::request(operation))
}

/// Returns the subresources that an operation needs.
pub(crate) fn required_subresources(operation: Operation, page: &PageSnapshot) -> Vec<String> {
    match operation {
        Operation::Audio => audio::required_subresources(page, &WorkBudget::default()),
        Operation::Fonts => fonts::required_subresources(page, &WorkBudget::default()),
        Operation::Images => images::required_subresources(page, &WorkBudget::default()),
        Operation::Lottie => lottie::required_subresources(page, &WorkBudget::default()),
        Operation::Svg => svg::required_subresources(page, &WorkBudget::default()),
        Operation::Videos => videos::required_subresources(page, &WorkBudget::default()),
        Operation::Brand | Operation::Code | Operation::Extract => panic!("{operation} is in another crate"),
    }
}
