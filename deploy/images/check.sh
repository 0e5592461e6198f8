#!/usr/bin/env bash
# Runs the images that build.sh made, under runc: the roles of the fleet image, one container each, answer a call for the
# demo page with servers of the all-in-one image; the all-in-one image answers it on its own; the renderer's Chromium draws a
# page with its sandbox on under the chart's seccomp profile, and fails under the usual one, so that the first can fail.
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/images/store.sh
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
profile=deploy/seccomp/chromium.json
usual=/usr/share/containers/seccomp.json
logs=$(mktemp -d)
mounts=() running=()
finish() {
  local one
  # The last one started ends first: roles before their servers.
  while [ ${#running[@]} -gt 0 ]; do
    one=${running[-1]}
    unset 'running[-1]'
    kill "$one" 2>/dev/null || true
    wait "$one" 2>/dev/null || true
  done
  for one in "${mounts[@]}"; do { images umount "$one"; images rm "$one"; } >/dev/null 2>&1 || true; done
  rm -rf "$logs"
}
trap finish EXIT
fail() {
  echo "$1" >&2
  tail -n 40 "$logs"/* >&2
  exit 1
}
# mounted TARGET: sets root to the image's root
mounted() {
  local container
  container=$(images from --pull-never "localhost/$1:$version")
  mounts+=("$container")
  root=$(images mount "$container")
}
# start NAME PROGRAM…: runs a program in the background until the end of this script
start() {
  local name=$1
  shift
  "$@" >"$logs/$name" 2>&1 &
  running+=($!)
}
# within SECONDS COMMAND…: repeats a command until it succeeds
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.5
  done
}
answers() { bash -c "exec 3<>/dev/tcp/127.0.0.1/$1"; }
# is_answered KEY URL: calls the API for a page with images
is_answered() {
  local body
  body=$(curl -fsS -H "Authorization: Bearer $1" "$2") || return 1
  [[ $body == *'"usage"'* && $body == *evening-1200.png* ]]
}

mounted limner
fleet=$root
deploy/images/run.sh "$fleet" "$usual" none limner --version
deploy/images/run.sh "$fleet" "$usual" none limner config check
! deploy/images/run.sh "$fleet" "$usual" none limner gateway 2>/dev/null || fail "a gateway without servers started"

mounted limner-renderer
page='data:text/html,<title>t</title><p id=x></p><script>x.textContent="drawn by a script"</script>'
draw() { deploy/images/run.sh "$root" "$1" none chromium --headless --disable-gpu --dump-dom "$page" 2>&1 || true; }
draw "$profile" | grep -q '<p id="x">drawn by a script</p>' || { echo "Chromium draws nothing under $profile:" >&2; draw "$profile" >&2; exit 1; }
echo "Chromium draws under $profile, with its sandbox"
! draw "$usual" | grep -q '<p id="x">drawn by a script</p>' || { echo "Chromium draws under $usual too: the profile proves nothing" >&2; exit 1; }
echo "Chromium does not start under $usual"

mounted limner-all
export LIMNER__GATEWAY__LISTEN=127.0.0.1:0 LIMNER__ADMIN__LISTEN=127.0.0.1:0
start limner-all deploy/images/run.sh "$root" "$profile" host limner up
key=
for _ in $(seq 240); do
  key=$(grep -o 'lm_live_[A-Za-z0-9_]*' "$logs/limner-all" | head -1 || true)
  [ -z "$key" ] && kill -0 "${running[-1]}" 2>/dev/null || break
  sleep 0.5
done
url=$(grep -o "http://[^ \"']*/v1/[^ \"']*" "$logs/limner-all" | head -1 || true)
[ -n "$key" ] && [ -n "$url" ] || fail "limner up printed no key and no call"
is_answered "$key" "$url" || fail "$url is not answered"
echo "limner-all answers $url"
kill "${running[-1]}"
wait "${running[-1]}" 2>/dev/null || true
unset 'running[-1]'

# The fleet: servers and each role in a container of its own, on free ports of this machine's loopback.
read -r postgres redis nats site gateway metering extractor < <(python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(7)]
print(*(one.getsockname()[1] for one in sockets))')
# shellcheck disable=SC2016 # expanded in the container
servers='
data=/var/lib/limner/postgres
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin)
initdb -D $data -U limner -A trust >/dev/null
postgres -D $data -c listen_addresses=127.0.0.1 -c port=$0 -c unix_socket_directories=/tmp &
redis-server --bind 127.0.0.1 --port $1 --dir /tmp --save "" --maxmemory 64mb --maxmemory-policy volatile-lru &
echo "max_payload: 8MB" >/tmp/nats.conf
nats-server --config /tmp/nats.conf --addr 127.0.0.1 --port $2 --jetstream --store_dir /tmp/nats &
trap "exit 0" TERM
wait'
start servers deploy/images/run.sh "$root" "$usual" host sh -euc "$servers" "$postgres" "$redis" "$nats"
start site python3 -m http.server --bind 127.0.0.1 --directory services/limner/demo "$site"
for port in "$postgres" "$redis" "$nats" "$site"; do
  within 60 answers "$port" || fail "no server answers on port $port"
done

export LIMNER__POSTGRES__URL=postgres://limner@127.0.0.1:$postgres/postgres
export LIMNER__REDIS__URL=redis://127.0.0.1:$redis
export LIMNER__NATS__URL=nats://127.0.0.1:$nats
export LIMNER__GATEWAY__LISTEN=127.0.0.1:$gateway
export LIMNER__METERING__LISTEN=127.0.0.1:$metering LIMNER__METERING__URL=http://127.0.0.1:$metering
export LIMNER__EXTRACTOR__LISTEN=127.0.0.1:$extractor LIMNER__EXTRACTOR__URL=http://127.0.0.1:$extractor
export LIMNER__METERING__TOKEN=for-this-check-only LIMNER__RENDERER__ENABLED=false
export LIMNER__EGRESS__ALLOW=127.0.0.1/32 LIMNER__EGRESS__HOSTS=site.example=127.0.0.1:$site
role=(deploy/images/run.sh "$fleet" "$usual" host limner)
"${role[@]}" migrate >"$logs/migrate" 2>&1 || fail "limner migrate fails"
for name in metering extractor fetcher gateway; do start "$name" "${role[@]}" "$name"; done
key=$("${role[@]}" admin account create --email you@example.com --plan free --json | grep -o 'lm_live_[A-Za-z0-9_]*' | head -1 || true)
[ -n "$key" ] || fail "limner admin account create printed no key"
url="http://127.0.0.1:$gateway/v1/images?url=http://site.example/"
within 60 is_answered "$key" "$url" || fail "the fleet does not answer $url"
echo "limner answers $url, each role in a container of its own"
