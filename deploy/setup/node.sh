#!/usr/bin/env bash
# Installs what the tests hold our outputs against: the compilers that the components of /code are for (React, Vue,
# Tailwind, Liquid), and the readers of the files of /extract (the Design Tokens schema, Style Dictionary, Terrazzo,
# Tailwind), what walks through the console (Playwright without browsers, axe-core), the official clients of MCP, and what
# the packages of sdk/ are generated, built and tested with.
# Returns at once when they are there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

for folder in shared/extract/tests/compilers tests/formats tests/console tests/mcp sdk; do
  wanted=$(cat "$folder/package.json" "$folder/package-lock.json" | sha256sum | cut -d' ' -f1)
  [ "$(cat "$folder/node_modules/.installed" 2>/dev/null)" = "$wanted" ] && continue
  echo "Installing what $folder needs"
  npm ci --silent --ignore-scripts --prefix "$folder"
  echo "$wanted" > "$folder/node_modules/.installed"
done
