#!/usr/bin/env bash
# Installs what Limner needs to be built and run on Debian 12 (or a relative of it), and with `tests` what its tests and
# checks need beyond that. Only what is missing is installed; when all is there it returns within a second. Nothing that
# it installs is started as a system service: Limner starts private servers of its own.
set -euo pipefail
purpose=${1:-run}

# Crates arrive while packages are installed.
crates=
if command -v cargo >/dev/null; then
  cargo fetch --locked --quiet --manifest-path "$(dirname "$0")/../../Cargo.toml" & crates=$!
fi

missing=()
need() { # need PACKAGE TEST...: the package is missing unless the test succeeds
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
has_postgres() {
  local initdb
  for initdb in /usr/lib/postgresql/*/bin/initdb; do [ -x "$initdb" ] && return 0; done
  command -v initdb
}
has_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
has_nats() { command -v nats-server || [ -x /usr/sbin/nats-server ]; }

need build-essential command -v cc
need pkg-config command -v pkg-config
need mold command -v mold
need protobuf-compiler command -v protoc
need libprotobuf-dev test -e /usr/include/google/protobuf/timestamp.proto
need postgresql has_postgres
need redis-server command -v redis-server
need nats-server has_nats
need chromium has_chromium
need libnss3-tools command -v certutil
if [ "$purpose" = tests ]; then
  need python3 command -v python3
  need python3-venv python3 -c "import ensurepip"
  need curl command -v curl
  need iproute2 command -v ip
  need nodejs command -v node
  need npm command -v npm
  need valgrind command -v valgrind
  need pgbouncer test -x /usr/sbin/pgbouncer
  need binutils command -v objcopy
  need dpkg-dev command -v dpkg-shlibdeps
fi

if [ ${#missing[@]} -gt 0 ]; then
  echo "Installing: ${missing[*]}"
  command -v apt-get >/dev/null || { echo "apt-get is not here: install ${missing[*]} by hand and run this again." >&2; exit 1; }
  sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Run this as root once, or install sudo." >&2; exit 1; }
    sudo=(sudo)
  fi
  # While this file exists and says 101, Debian starts no service of a package it installs.
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" tee "$policy" >/dev/null
    "${sudo[@]}" chmod 755 "$policy"
    trap '"${sudo[@]}" rm -f "$policy"' EXIT
  fi
  # Debian's postgresql makes a cluster of its own unless told otherwise; nobody would use it.
  if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    "${sudo[@]}" mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' | "${sudo[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
  fi
  export DEBIAN_FRONTEND=noninteractive
  "${sudo[@]}" apt-get update -q
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

if ! command -v cargo >/dev/null; then
  echo "Rust is not here. Install it from https://rustup.rs (the version is in rust-toolchain.toml), then run this again." >&2
  exit 1
fi
if [ "$purpose" != tests ]; then
  [ -z "$crates" ] || wait "$crates"
  exit
fi
# They do not depend on each other and mostly wait for the network.
folder=$(dirname "$0")
installs=($crates)
"$folder/checks.sh" & installs+=($!)
"$folder/charts.sh" & installs+=($!)
"$folder/weed.sh" & installs+=($!)
"$folder/node.sh" & installs+=($!)
# The official Python client of MCP, and what the Python package of sdk/ is generated, checked and built with.
"$folder/python-env.sh" mcp tests/mcp/requirements.txt & installs+=($!)
"$folder/python-env.sh" sdk sdk/requirements.txt --require-hashes & installs+=($!)
failed=0
for install in "${installs[@]}"; do
  wait "$install" || failed=1
done
exit "$failed"
