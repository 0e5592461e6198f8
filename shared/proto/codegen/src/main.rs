//! Generates `shared/proto/src/gen` from `proto/`. `make proto` writes it; a test holds the committed code against it.

use std::path::Path;

/// The packages of `proto/limner/v1`.
const PACKAGES: [&str; 7] = ["page", "extract", "jobs", "metering", "billing", "accounts", "grant"];

fn main() -> anyhow::Result<()> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "shared/proto/src/gen".to_owned());
    generate(Path::new("proto"), Path::new(&out))
}

/// Writes the generated code of the packages below `proto`, and their descriptors, into the folder `out`.
fn generate(proto: &Path, out: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(out)?;
    let files = PACKAGES.map(|name| proto.join(format!("limner/v1/{name}.proto")));
    tonic_prost_build::configure()
        .out_dir(out)
        .bytes(".limner.v1.Extraction.body")
        .bytes(".limner.v1.Resource.body")
        .btree_map(".")
        .file_descriptor_set_path(out.join("descriptor.bin"))
        .compile_protos(&files, &[proto.to_owned()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Returns the contents of the files in `folder`, by name.
    fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
            .collect()
    }

    #[test]
    fn committed_code_is_generated_from_the_proto_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let fresh = tempfile::tempdir().unwrap();
        generate(&root.join("proto"), fresh.path()).unwrap();

        let (fresh, committed) = (contents(fresh.path()), contents(&root.join("shared/proto/src/gen")));
        let differing: Vec<_> =
            fresh.keys().chain(committed.keys()).filter(|name| fresh.get(*name) != committed.get(*name)).collect();
        assert!(differing.is_empty(), "{differing:?} differ from what proto/ generates: run `make proto`");
    }
}
