#!/usr/bin/env bash
# Builds the packages into a folder: the tarballs of the TypeScript package, of the command line and of the n8n node, and the
# Python wheel.
# Needs no network after `make setup`.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm_package() { # npm_package FOLDER
  node_modules/.bin/tsc -p "$1" --outDir "$work/$1/dist"
  cp "$1/package.json" "$1/README.md" ../LICENSE-* "$work/$1/"
  [ "$1" != n8n ] || node n8n/copy-icon.mjs "$work/n8n/dist"
  (cd "$work/$1" && npm pack --silent --ignore-scripts --pack-destination "$out")
}

npm_script() { # npm_script FOLDER
  cp -r "$1" ../LICENSE-* "$work/"
  (cd "$work" && mv LICENSE-* "$1/" && cd "$1" && npm pack --silent --ignore-scripts --pack-destination "$out")
}

npm_script npx
npm_package typescript &
typescript=$!
npm_package n8n &
n8n=$!
cp -r python ../LICENSE-* "$work/"
(cd "$work/python" && mv ../LICENSE-* . && "$OLDPWD/../.tools/sdk/bin/hatchling" build -t wheel -d "$out")
wait "$typescript"
wait "$n8n"
