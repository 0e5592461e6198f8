#!/usr/bin/env bash
# Installs the Debian package on a bare Debian that debootstrap makes, and takes the first steps there: an answer about a
# local page, completions, the manual, one line from `limner up` that says which servers are missing, and the whole fleet
# from `limner up` once they are installed.
#
#   deploy/packages/check.sh DIRECTORY
#
# DIRECTORY is what build.sh made. Needs root and the packages debootstrap, curl and python3.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# -eq 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "debootstrap is not installed: apt-get install debootstrap" >&2; exit 1; }
package=$(realpath "$1"/limner_*.deb)
release=$(sed -n 's/^ARG DEBIAN_VERSION=//p' deploy/docker/Dockerfile)
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" | head -1)
scratch=$(mktemp -d)
root=$scratch/root
server= fleet=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$fleet" ] || { kill "$fleet" 2>/dev/null && wait "$fleet"; } || true
  mountpoint -q "$root/proc" && umount "$root/proc"
  rm -rf --one-file-system "$scratch"
}
trap finish EXIT
fail() { echo "$1" >&2; exit 1; }

echo "Making a bare Debian $release"
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$scratch/log" 2>&1 || { tail -20 "$scratch/log" >&2; exit 1; }
mount -t proc proc "$root/proc"
for file in resolv.conf hosts; do cat "/etc/$file" >"$root/etc/$file" 2>/dev/null || true; done
[ ! -d /etc/apt/apt.conf.d ] || cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp "$package" "$root/tmp/"
within=(chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive)
inside() { "${within[@]}" "$@"; }
inside sh -c 'cd /tmp && apt-get update -q && apt-get install -qy --no-install-recommends ./limner_*.deb' >"$scratch/log" 2>&1 \
  || { tail -20 "$scratch/log" >&2; exit 1; }
inside limner --version

# The demo page on a free port of this machine, which the root shares.
python3 -u -m http.server --bind 127.0.0.1 --directory services/limner/demo 0 >"$scratch/served" 2>&1 &
server=$!
for _ in $(seq 100); do
  port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$scratch/served")
  [ -n "$port" ] && break
  sleep 0.1
done
[ -n "$port" ] || fail "the local page is not served"
printf '[egress]\nallow = ["127.0.0.1/32"]\n[egress.hosts]\n"demo.test" = "127.0.0.1:%s"\n' "$port" >"$root/tmp/limner.toml"
answer=$(inside limner extract brand http://demo.test/ --json --config /tmp/limner.toml)
grep -q '"siteName": "Nordlys"' <<<"$answer" && grep -q '"primary": "#' <<<"$answer" || fail "no brand: $answer"
echo "limner extract brand answers"
inside limner extract images http://demo.test/ --out /tmp/found --config /tmp/limner.toml >/dev/null 2>&1
ls "$root"/tmp/found/images/*.png >/dev/null || fail "no images were downloaded"

for file in bash-completion/completions/limner zsh/vendor-completions/_limner fish/vendor_completions.d/limner.fish doc/limner/copyright; do
  [ -s "$root/usr/share/$file" ] || fail "/usr/share/$file is missing"
done
inside bash -nc '. /usr/share/bash-completion/completions/limner'

said=$(inside limner up 2>&1 >/dev/null | grep '^limner:' || true)
[ "$(wc -l <<<"$said")" = 1 ] && grep -q 'apt-get install postgresql redis-server nats-server' <<<"$said" \
  || fail "limner up does not say in one line what is missing: $said"
echo "limner up: $said"

# With the servers that the line names, all on free ports. Nothing is started by the packages themselves.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
inside apt-get install -qy --no-install-recommends postgresql redis-server nats-server >"$scratch/log" 2>&1 \
  || { tail -20 "$scratch/log" >&2; exit 1; }
printf '%s\n' 'data_dir = "/var/lib/limner-check"' '[gateway]' 'listen = "127.0.0.1:0"' '[admin]' 'listen = "127.0.0.1:0"' \
  '[console]' 'listen = "127.0.0.1:0"' '[mcp]' 'listen = "127.0.0.1:0"' >"$root/tmp/up.toml"
"${within[@]}" limner up --config /tmp/up.toml >"$scratch/up" 2>"$scratch/log" &
fleet=$!
for _ in $(seq 240); do
  grep -q '  Key ' "$scratch/up" && break
  kill -0 "$fleet" 2>/dev/null || break
  sleep 0.5
done
key=$(grep -o 'lm_live_[A-Za-z0-9_]*' "$scratch/up" | head -1 || true)
url=$(grep -o 'http://[^ "'"'"']*/v1/[^ "'"'"']*' "$scratch/up" | head -1 || true)
[ -n "$key" ] && [ -n "$url" ] || { tail -20 "$scratch/log" >&2; fail "limner up does not start with its servers"; }
answer=$(curl -fsS -H "Authorization: Bearer $key" "$url") || { tail -20 "$scratch/log" >&2; fail "$url is not answered"; }
grep -q '"usage"' <<<"$answer" || fail "$url: $answer"
kill "$fleet" && wait "$fleet" || fail "limner up does not end well"
fleet=
echo "limner up answers $url with the servers installed"
inside sh -c 'apt-get purge -qy limner' >/dev/null 2>&1
[ ! -e "$root/usr/bin/limner" ] || fail "the package leaves its binary behind"
echo "The package installs, works and is removed on a bare Debian $release"
