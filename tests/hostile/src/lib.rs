//! Pages made to be slow to read, and the growth of the work that they cost.
//!
//! [`cases`] is a table of generators: each repeats or nests one thing of one grammar that Limner reads, as often as it is
//! told. [`growth`] doubles that number and has the page read again, once by each operation, until the page is past the
//! limits on pages or the work is enough to judge by. Work that more than doubles, by more than [`growth::MAX_GROWTH`], is a
//! fault: somebody can make it endless.
//!
//! Every measurement runs in a child process (`hostile grow`) with limits on processor time and memory.

pub mod case;
pub mod cases;
pub mod counts;
pub mod growth;
pub mod known_cases;
pub mod page;
pub mod stacked_boxes;
pub mod subject;
pub mod work_meter;
