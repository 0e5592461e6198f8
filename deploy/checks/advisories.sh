#!/usr/bin/env bash
# Checks the dependencies against the advisories of RustSec. If their database cannot be reached, it says so and uses an
# older copy if there is one.
set -euo pipefail
cd "$(dirname "$0")/../.."

deny=$PWD/.tools/checks/bin/cargo-deny
cause=$(mktemp)
trap 'rm -f "$cause"' EXIT
if timeout 60 "$deny" --locked fetch db 2>"$cause"; then
  "$deny" --locked check advisories
  exit
fi
copy=$(find "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs" -maxdepth 1 -name 'advisory-db-*' 2>/dev/null | head -n 1)
if [ -n "$copy" ]; then
  echo "advisories: the database cannot be reached, checking against the copy of $(git -C "$copy" log -1 --format=%cs)"
  "$deny" --locked --offline check advisories
else
  echo "advisories: not checked, the database cannot be reached"
  cat "$cause"
fi
