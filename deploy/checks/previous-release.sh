#!/usr/bin/env bash
# Builds the binary of the last release and prints its path: tests replace its processes by those of this tree, and a
# database that it made. The last release is the commit that wrote its heading in CHANGELOG.md.
#
#   deploy/checks/previous-release.sh [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/../.."
heading=$(grep -m1 -E '^## [0-9]' CHANGELOG.md)
commit=$(git rev-parse --verify "${1:-$(git log -S"$heading" --format=%H -- CHANGELOG.md | tail -1)}^{commit}")
target=${CARGO_TARGET_DIR:-$PWD/target}/previous
binary=$target/limner-$commit
if [ ! -x "$binary" ]; then
  source=$(mktemp -d)
  trap 'rm -rf "$source"' EXIT
  git archive "$commit" | tar -x -C "$source"
  (cd "$source" && CARGO_TARGET_DIR="$target" cargo build --locked --bin limner >&2)
  cp "$target/debug/limner" "$binary"
fi
echo "$binary"
