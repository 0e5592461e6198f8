#!/usr/bin/env bash
# Compares $BEFORE with $AFTER, and fails if there is drift, or if they cannot be compared. Inputs are environment variables,
# never part of a command line that a shell reads.
set -uo pipefail

arguments=(--threshold "${THRESHOLD:-0}" --tolerance "${TOLERANCE:-1}")
[ -z "${OPERATION:-}" ] || arguments+=(--op "$OPERATION")
while IFS= read -r argument; do
  [ -z "$argument" ] || arguments+=("$argument")
done <<<"${ARGUMENTS:-}"
# An empty URL is none.
[ -n "${LIMNER_URL:-}" ] || unset LIMNER_URL

report=$(mktemp "${RUNNER_TEMP:-/tmp}/limner-diff-XXXXXX.json")
limner diff "${arguments[@]}" --json -- "$BEFORE" "$AFTER" >"$report"
status=$?
if [ "$status" -gt 1 ]; then
  echo "::error title=Limner::$BEFORE and $AFTER cannot be compared (status $status)"
  exit "$status"
fi

# Two lines of the report, which has one member on each.
count=$(sed -n 's/^  "count": \([0-9]*\),$/\1/p' "$report")
drift=$([ "$status" = 1 ] && echo true || echo false)
{ echo "drift=$drift"; echo "count=$count"; echo "report=$report"; } >>"${GITHUB_OUTPUT:-/dev/null}"
{
  echo "### Limner: $count differences"
  echo
  echo '```json'
  # A fence in a value of the page must not end this one.
  sed 's/```/` ` `/g' "$report"
  echo '```'
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
cat "$report"
if [ "$drift" = true ]; then
  echo "::error title=Design drift::$count differences between $BEFORE and $AFTER; ${THRESHOLD:-0} are allowed"
fi
exit "$status"
