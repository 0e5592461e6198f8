#!/usr/bin/env bash
# Runs the images that build.sh made, under runc: the all-in-one image answers a call for its demo page; the renderer's
# Chromium draws a page with its sandbox on under the chart's seccomp profile, and fails under the usual one, so that the
# first can fail.
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/images/store.sh
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
profile=deploy/seccomp/chromium.json
usual=/usr/share/containers/seccomp.json
container=
finish() { [ -z "$container" ] || { images umount "$container"; images rm "$container"; } >/dev/null 2>&1 || true; }
trap finish EXIT
# mounted TARGET: sets root to the image's root
mounted() {
  finish
  container=$(images from --pull-never "localhost/$1:$version")
  root=$(images mount "$container")
}

mounted limner
deploy/images/run.sh "$root" "$usual" none limner --version
deploy/images/run.sh "$root" "$usual" none limner config check
! deploy/images/run.sh "$root" "$usual" none limner gateway 2>/dev/null || { echo "a gateway without servers started" >&2; exit 1; }

mounted limner-renderer
page='data:text/html,<title>t</title><p id=x></p><script>x.textContent="drawn by a script"</script>'
draw() { deploy/images/run.sh "$root" "$1" none chromium --headless --disable-gpu --dump-dom "$page" 2>&1 || true; }
draw "$profile" | grep -q '<p id="x">drawn by a script</p>' || { echo "Chromium draws nothing under $profile:" >&2; draw "$profile" >&2; exit 1; }
echo "Chromium draws under $profile, with its sandbox"
! draw "$usual" | grep -q '<p id="x">drawn by a script</p>' || { echo "Chromium draws under $usual too: the profile proves nothing" >&2; exit 1; }
echo "Chromium does not start under $usual"

mounted limner-all
log=$(mktemp)
deploy/images/run.sh "$root" "$profile" host limner up >"$log" 2>&1 &
running=$!
trap 'kill $running 2>/dev/null || true; wait $running 2>/dev/null || true; rm -f "$log"; finish' EXIT
key=
for _ in $(seq 240); do
  key=$(grep -o 'lm_live_[A-Za-z0-9_]*' "$log" | head -1 || true)
  [ -z "$key" ] && kill -0 $running 2>/dev/null || break
  sleep 0.5
done
url=$(grep -o 'http://[^ "]*/v1/[^ "]*' "$log" | head -1 || true)
[ -n "$key" ] && [ -n "$url" ] || { echo "limner up printed no key and no call:" >&2; cat "$log" >&2; exit 1; }
curl -fsS -H "Authorization: Bearer $key" "$url" | grep -q '"usage"' || { echo "$url is not answered" >&2; cat "$log" >&2; exit 1; }
echo "limner-all answers $url"
