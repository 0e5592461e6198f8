#!/usr/bin/env bash
# Installs the compilers that the tests run the outputs of /code through: React, Vue, Tailwind, Liquid. Returns at once
# when they are there already.
set -euo pipefail
cd "$(dirname "$0")/../../shared/extract/tests/compilers"

wanted=$(cat package.json package-lock.json | sha256sum | cut -d' ' -f1)
[ "$(cat node_modules/.installed 2>/dev/null)" = "$wanted" ] && exit 0

echo "Installing the compilers of the component tests"
npm ci --silent --ignore-scripts
echo "$wanted" > node_modules/.installed
