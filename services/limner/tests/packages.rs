//! The release artefacts that `deploy/packages/build.sh` makes, from the binary under test.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::path::Path;
use std::process::Command;

fn run(program: &str, args: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(args).current_dir(folder).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {args:?}: {stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn package_has_binary_completions_and_manual() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/packages/build.sh");
    let output = Command::new(&build)
        .args([env!("CARGO_BIN_EXE_limner"), here.to_str().unwrap()])
        .envs([("COMPRESSION", "none"), ("SOURCE_DATE_EPOCH", "1000000000")])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    run("sha256sum", &["--check", "--quiet", "SHA256SUMS"], here);

    let arch = run("dpkg", &["--print-architecture"], here).trim().to_owned();
    let package = format!("limner_{}_{arch}.deb", env!("CARGO_PKG_VERSION"));
    let fields = run("dpkg-deb", &["-f", &package], here);
    for field in ["Package: limner", "Depends: libc6", "Suggests: chromium, postgresql, redis-server, nats-server"] {
        assert!(fields.contains(field), "{field}: {fields}");
    }
    let listing = run("dpkg-deb", &["-c", &package], here);
    assert!(listing.lines().all(|line| line.contains(" root/root ")), "{listing}");
    for file in [
        "usr/bin/limner",
        "usr/share/bash-completion/completions/limner",
        "usr/share/zsh/vendor-completions/_limner",
        "usr/share/fish/vendor_completions.d/limner.fish",
        "usr/share/man/man1/limner.1.gz",
        "usr/share/man/man1/limner-extract.1.gz",
        "usr/share/doc/limner/copyright",
    ] {
        assert!(listing.lines().any(|line| line.ends_with(&format!(" ./{file}"))), "{file}: {listing}");
    }
    run("dpkg-deb", &["-x", &package, "root"], here);
    let version = run("root/usr/bin/limner", &["--version"], here);
    assert_eq!(version.trim(), format!("limner {}", env!("CARGO_PKG_VERSION")));

    let archive = format!("limner-{}-linux-{arch}", env!("CARGO_PKG_VERSION"));
    let listing = run("tar", &["-tzf", &format!("{archive}.tar.gz")], here);
    for file in ["limner", "completions/limner.bash", "man/limner.1.gz", "LICENSE-MIT"] {
        assert!(listing.lines().any(|line| line == format!("{archive}/{file}")), "{file}: {listing}");
    }
    // A binary that was built without debug information has no symbols; what becomes of them is tested below.
    let sections = run("readelf", &["-SW", "root/usr/bin/limner"], here);
    assert!(sections.contains(".gnu_debuglink") && !sections.contains(".symtab"), "{sections}");
    assert!(here.join(format!("{archive}.debug")).exists());
}

#[test]
fn stripped_binaries_have_their_symbols_in_a_file_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("small.c"), "int main(void) { return 0; }\n").unwrap();
    run("cc", &["-g", "-o", "small", "small.c"], here);
    let strip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/packages/strip.sh");
    run(strip.to_str().unwrap(), &["small", "stripped", "small.debug"], here);
    let stripped = run("readelf", &["-SW", "stripped"], here);
    assert!(stripped.contains(".gnu_debuglink") && !stripped.contains(".symtab"), "{stripped}");
    let symbols = run("readelf", &["-SW", "small.debug"], here);
    assert!(symbols.contains(".symtab") && symbols.contains(".debug_info"), "{symbols}");
    run("./stripped", &[], here);
}
