//! Generates `shared/proto/src/gen` from `proto/`. `make proto` writes it, `make proto-check` compares it.

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "shared/proto/src/gen".to_owned());
    let out = Path::new(&out);
    std::fs::create_dir_all(out)?;
    let protos = ["page", "extract", "jobs", "metering", "billing", "accounts", "grant"]
        .map(|name| format!("proto/limner/v1/{name}.proto"));
    tonic_prost_build::configure()
        .out_dir(out)
        .bytes(".limner.v1.Extraction.body")
        .bytes(".limner.v1.Resource.body")
        .btree_map(".")
        .file_descriptor_set_path(out.join("descriptor.bin"))
        .compile_protos(&protos, &["proto".to_owned()])?;
    Ok(())
}
