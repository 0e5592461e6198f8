#!/usr/bin/env bash
# Prints where `make run` keeps its data: beside the code. Run as root, the private servers are ordinary users, who
# may be unable to enter a clone in /root, say: then it is the usual place of an installation.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
if [ "$(id -u)" -eq 0 ] && ! setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$here"; then
  echo /var/lib/limner
else
  echo "$here/.limner"
fi
