#!/usr/bin/env bash
# Installs cargo-deny, cargo-shear and typos into .tools/checks, and cargo-nextest beside cargo if it has none. Returns at
# once when they are there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

deploy/setup/python-env.sh checks deploy/setup/checks.txt
if ! cargo nextest --version >/dev/null 2>&1; then
  echo "Installing cargo-nextest"
  install -D -m 755 .tools/checks/bin/cargo-nextest "${CARGO_HOME:-$HOME/.cargo}/bin/cargo-nextest"
fi
