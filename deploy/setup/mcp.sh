#!/usr/bin/env bash
# Installs the official Python client of MCP, which the tests call the MCP server with, into .tools/mcp. Returns at once
# when it is there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=$PWD/.tools/mcp
wanted=$(cat tests/mcp/requirements.txt "$0" | sha256sum | cut -d' ' -f1)
[ "$(cat "$tools/installed" 2>/dev/null)" = "$wanted" ] && exit 0

echo "Installing the MCP client into .tools/mcp"
rm -rf "$tools"
python3 -m venv "$tools"
# --no-deps: the list is complete.
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r tests/mcp/requirements.txt
echo "$wanted" > "$tools/installed"
