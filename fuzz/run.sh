#!/usr/bin/env bash
# Fuzzes a target, or each in turn: fuzz/run.sh TARGET|all SECONDS. See docs/fuzzing.md.
#   PAGES   folders whose pages, sheets and drawings are first inputs too
#   CORPUS  where inputs that reach new code are kept (fuzz/corpus)
#   SANITIZER  address: with AddressSanitizer, which is slower (none)
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-all} seconds=${2:-60}
corpus=${CORPUS:-fuzz/corpus}

if ! cargo fuzz --version >/dev/null 2>&1; then
  echo "Installing cargo-fuzz"
  cargo install --locked cargo-fuzz
fi
# Sanitizers and coverage are not stable yet; the toolchain is, and is told to let them through.
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-C link-arg=-fuse-ld=mold ${RUSTFLAGS:-}"
options=(-O --sanitizer "${SANITIZER:-none}" --target-dir "${CARGO_TARGET_DIR:-fuzz/target}")

# What the inputs of a target look like, and how long they may be.
dictionary_and_length() {
  case $1 in
    html) echo html 8192 ;;
    css) echo css 4096 ;;
    selectors | values) echo css 512 ;;
    srcset) echo css 1024 ;;
    svg) echo html 4096 ;;
    feed) echo feed 4096 ;;
    json_ld | lottie) echo json 4096 ;;
    dotlottie) echo json 8192 ;;
    mime) echo url 4096 ;;
    data_url | url_policy | query | mcp | oauth) echo url 2048 ;;
    code_*) echo text 1024 ;;
    *)
      echo "there is no target $1; there are: $(cargo fuzz list | tr '\n' ' ')" >&2
      return 1
      ;;
  esac
}

fuzz() {
  local name=$1 settings dictionary length
  settings=$(dictionary_and_length "$name")
  read -r dictionary length <<<"$settings"
  mkdir -p "$corpus/$name"
  if [ -f "fuzz/corpora/$name.tar.gz" ]; then tar -xzf "fuzz/corpora/$name.tar.gz" -C "$corpus/$name"; fi
  echo "== $name"
  cargo fuzz run "${options[@]}" "$name" "$corpus/$name" -- \
    -dict="fuzz/dictionaries/$dictionary.dict" -max_len="$length" -max_total_time="$seconds" \
    -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 -print_final_stats=1
}

# shellcheck disable=SC2086
python3 fuzz/seed.py "$corpus" ${PAGES:-}
if [ "$target" = all ]; then
  cargo fuzz build "${options[@]}"
  failed=()
  for name in $(cargo fuzz list); do fuzz "$name" || failed+=("$name"); done
  if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}" >&2
    exit 1
  fi
else
  fuzz "$target"
fi
