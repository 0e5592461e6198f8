#!/usr/bin/env bash
# Makes the release artefacts of a binary: a Debian package and an archive, both with completions and manual pages, the
# symbols that were stripped, and the sums of all three.
#
#   deploy/packages/build.sh BINARY DIRECTORY
#
# BINARY is a `limner` that runs on this machine; the package depends on the libraries of this machine's release. Needs
# the packages binutils and dpkg-dev. COMPRESSION is that of the package (xz; none is quick), SOURCE_DATE_EPOCH the date of
# its files (that of the commit).
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# -eq 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
for tool in objcopy dpkg-deb dpkg-shlibdeps; do
  command -v $tool >/dev/null || { echo "$tool is not installed: apt-get install binutils dpkg-dev" >&2; exit 1; }
done
binary=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
arch=$(dpkg --print-architecture)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
umask 022
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The binary is stripped of symbols, which lie beside it under the name that debuggers look for.
root=$scratch/limner
symbols=limner-$version-linux-$arch.debug
mkdir -p "$root/DEBIAN" "$root/usr/bin"
SYMBOL_COMPRESSION=${COMPRESSION:-xz} deploy/packages/strip.sh "$binary" "$root/usr/bin/limner" "$out/$symbols"

share=$root/usr/share
mkdir -p "$share/bash-completion/completions" "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d" "$share/doc/limner"
"$binary" completions bash >"$share/bash-completion/completions/limner"
"$binary" completions zsh >"$share/zsh/vendor-completions/_limner"
"$binary" completions fish >"$share/fish/vendor_completions.d/limner.fish"
"$binary" man --out "$share/man/man1"
gzip -9n "$share"/man/man1/*.1
{
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: limner\n\n'
  printf 'Files: *\nCopyright: the Limner authors\nLicense: MIT or Apache-2.0\n\n'
  printf 'License: MIT\n'; sed 's/^$/./; s/^/ /' LICENSE-MIT
  printf '\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$share/doc/limner/copyright"
gzip -9nc CHANGELOG.md >"$share/doc/limner/changelog.gz"

# dpkg-shlibdeps reads the names of packages from debian/control.
mkdir -p "$scratch/debian"
printf 'Source: limner\n\nPackage: limner\nArchitecture: any\n' >"$scratch/debian/control"
depends=$(cd "$scratch" && dpkg-shlibdeps -O --ignore-missing-info limner/usr/bin/limner | sed -n 's/^shlibs:Depends=//p')
cat >"$root/DEBIAN/control" <<CONTROL
Package: limner
Version: $version
Architecture: $arch
Maintainer: the Limner authors <limner@localhost>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends
Recommends: ca-certificates
Suggests: chromium, postgresql, redis-server, nats-server
Section: web
Priority: optional
Description: reads design data out of public web pages
 Limner returns the images, SVGs, fonts, design tokens, brand identity and
 components of a page: in the terminal, or as an HTTP API for agents,
 designers and front-end developers.
 .
 "limner extract" needs nothing else. "limner up" runs the whole service with
 private servers of its own: install postgresql, redis-server and nats-server
 for it, and chromium for pages that are empty without their scripts.
CONTROL
find "$scratch/limner" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Z"${COMPRESSION:-xz}" --build "$root" \
  "$out/limner_${version}_$arch.deb" >/dev/null

# The archive has the same for other systems: limner, completions/, man/, licences.
archive=limner-$version-linux-$arch
mkdir -p "$scratch/$archive/completions" "$scratch/$archive/man"
cp "$root/usr/bin/limner" README.md LICENSE-MIT LICENSE-APACHE "$scratch/$archive/"
cp "$share/bash-completion/completions/limner" "$scratch/$archive/completions/limner.bash"
cp "$share/zsh/vendor-completions/_limner" "$share/fish/vendor_completions.d/limner.fish" "$scratch/$archive/completions/"
cp "$share"/man/man1/*.gz "$scratch/$archive/man/"
tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner --mtime "@$SOURCE_DATE_EPOCH" -cf - "$archive" \
  | gzip -n$([ "${COMPRESSION:-xz}" = none ] && echo 1 || echo 9) >"$out/$archive.tar.gz"

cd "$out"
sha256sum "limner_${version}_$arch.deb" "$archive.tar.gz" "$symbols" >SHA256SUMS
ls -l "limner_${version}_$arch.deb" "$archive.tar.gz" "$symbols" | awk '{ printf "%s  %.1f MB\n", $NF, $5 / 1e6 }'
