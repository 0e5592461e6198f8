#!/usr/bin/env bash
# Checks the subjects of the commits that are not on the main branch yet: `area: what changes`, at most 72 characters. Says so
# if there is nothing to compare with, as in an archive or a shallow clone.
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"

for main in origin/HEAD origin/main; do
  base=$(git merge-base HEAD "$main" 2>/dev/null) && break
done
if [ -z "${base:-}" ]; then
  echo "commit subjects: not checked, the main branch is not here"
  exit
fi
# Commits before this check existed are not judged.
first=$(git log -1 --diff-filter=A --format=%H -- deploy/checks/commit-subjects.sh)
git log --no-merges --format='%h %s' "$base..HEAD" ${first:+"^$first"} | {
  wrong=0
  while read -r commit subject; do
    if [ "${#subject}" -gt 72 ]; then
      echo "$commit: the subject has ${#subject} characters, at most 72 are allowed: $subject" >&2
      wrong=1
    elif ! [[ $subject =~ ^[a-z0-9.][^:]*:\ . ]]; then
      echo "$commit: the subject is not 'area: what changes': $subject" >&2
      wrong=1
    fi
  done
  exit "$wrong"
}
