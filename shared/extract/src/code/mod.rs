//! `/code`: a section of a page as a self-contained component.
//!
//! A section is captured into the framework-neutral [`model`], once against the browser's own sheet (`html`,
//! `elementor`, `shopify`) or against Tailwind's preflight (`tailwind`, `jsx`, `vue`), and written by one emitter of
//! [`emit`] for each framework.
#![allow(dead_code, reason = "the model comes before what fills and what writes it")]

mod emit;
mod model;
