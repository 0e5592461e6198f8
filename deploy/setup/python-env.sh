#!/usr/bin/env bash
# Installs a complete list of Python packages as a virtual environment into .tools/NAME: python-env.sh NAME LIST [PIP OPTION…].
# Returns at once when it is there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

name=$1 list=$2
shift 2
tools=$PWD/.tools/$name
wanted=$(cat "$list" "deploy/setup/python-env.sh" | sha256sum | cut -d' ' -f1)
[ "$(cat "$tools/installed" 2>/dev/null)" = "$wanted" ] && exit 0

echo "Installing the packages of $list into .tools/$name"
rm -rf "$tools"
python3 -m venv "$tools"
# --no-deps: the list is complete.
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps "$@" -r "$list"
echo "$wanted" > "$tools/installed"
