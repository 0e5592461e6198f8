#!/usr/bin/env bash
# Installs what the Python package of sdk/ is generated, checked and built with, and what it depends on, into .tools/sdk.
# Returns at once when it is there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=$PWD/.tools/sdk
wanted=$(cat sdk/requirements.txt "$0" | sha256sum | cut -d' ' -f1)
[ "$(cat "$tools/installed" 2>/dev/null)" = "$wanted" ] && exit 0

echo "Installing the tools of the Python package into .tools/sdk"
rm -rf "$tools"
python3 -m venv "$tools"
# --no-deps: the list is complete.
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes -r sdk/requirements.txt
echo "$wanted" > "$tools/installed"
