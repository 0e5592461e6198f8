#!/usr/bin/env bash
# Installs the Debian package $PACKAGE, a path or a URL, after comparing it with $SHA256 if that is given.
set -euo pipefail

package=$PACKAGE
if [[ $package == http://* || $package == https://* ]]; then
  package=$(mktemp --suffix .deb)
  curl -fsSL --retry 2 -o "$package" "$PACKAGE"
fi
if [ -n "${SHA256:-}" ]; then
  echo "$SHA256  $package" | sha256sum --check --quiet
fi
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
# A path without a slash would be the name of a package.
$sudo apt-get install -y --no-install-recommends "$(realpath "$package")"
