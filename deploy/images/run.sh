#!/usr/bin/env bash
# Runs a command in an image with runc, as the chart's pods run: an unprivileged user, no capabilities, a read-only root.
#
#   deploy/images/run.sh ROOT PROFILE NETWORK COMMAND…
#
# ROOT is the image's mounted root, PROFILE a seccomp profile in containers' form, NETWORK `none` or `host`. The command has
# the settings of this environment (LIMNER__…).
set -euo pipefail
root=$1 profile=$2 network=$3; shift 3
bundle=$(mktemp -d)
trap 'rm -rf "$bundle"' EXIT
python3 "$(dirname "$0")/bundle.py" "$root" "$profile" "$network" "$@" >"$bundle/config.json"
runc run --bundle "$bundle" "limner-$$" </dev/null &
child=$!
# A signal to this script ends the container, and the script waits for its end.
trap 'kill "$child" 2>/dev/null || true' TERM INT
wait "$child" && status=0 || status=$?
wait "$child" 2>/dev/null || true
exit "$status"
