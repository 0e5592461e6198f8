#!/usr/bin/env bash
# Minimises the corpora of targets and packs them into fuzz/corpora: fuzz/keep.sh TARGET... See docs/fuzzing.md.
# Only a corpus that began without PAGES may be kept.
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-C link-arg=-fuse-ld=mold ${RUSTFLAGS:-}"
# Most bytes that the inputs of one target may have together; the smallest are kept, and none that is longer than 2,048.
most=${MOST:-110000}
mkdir -p fuzz/corpora
for name in "$@"; do
  corpus=${CORPUS:-fuzz/corpus}/$name
  cargo fuzz cmin -O --sanitizer none --target-dir "${CARGO_TARGET_DIR:-fuzz/target}" "$name" "$corpus"
  (cd "$corpus" && find . -type f -size -2049c -printf '%s %f\n' | sort -n | awk -v most="$most" '(total += $1) <= most { print $2 }') |
    tar -C "$corpus" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - -T - | gzip -9n >"fuzz/corpora/$name.tar.gz"
done
du -sb fuzz/corpora
