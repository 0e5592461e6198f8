#!/usr/bin/env bash
# Separates a binary from its symbols: most of it are those, and debuggers find them beside it.
#
#   deploy/packages/strip.sh BINARY STRIPPED SYMBOLS
#
# Needs the package binutils. SYMBOL_COMPRESSION=none is quick.
set -euo pipefail

[ $# -eq 3 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
compressed=$([ "${SYMBOL_COMPRESSION:-zlib}" = none ] || echo --compress-debug-sections)
objcopy --only-keep-debug $compressed "$1" "$3"
objcopy --strip-all --add-gnu-debuglink="$3" "$1" "$2"
chmod 644 "$3"
chmod 755 "$2"
