#!/usr/bin/env bash
# Builds the images without Docker's daemon: buildah in a chroot, on a base that debootstrap makes.
#
#   deploy/images/build.sh BINARY [TARGET…]
#
# BINARY is a `limner` that was built for this Debian release; targets are the stages of deploy/docker/Dockerfile: limner,
# limner-renderer, limner-all (all three). Needs root and the packages buildah, runc and debootstrap. The images lie in
# $LIMNER_IMAGES, target/images, with the binary's symbols; `buildah --root … push` takes them from there to a registry.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
binary=$1; shift
[ $# -gt 0 ] || set -- limner limner-renderer limner-all
for tool in buildah debootstrap; do
  command -v $tool >/dev/null || { echo "$tool is not installed: apt-get install buildah runc debootstrap" >&2; exit 1; }
done

. deploy/images/store.sh
release=$(sed -n 's/^ARG DEBIAN_VERSION=//p' deploy/docker/Dockerfile)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
base=docker.io/library/debian:$release-slim
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT

if ! images inspect "$base" >/dev/null 2>&1; then
  echo "Making $base"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" | head -1)
  debootstrap --variant=minbase "$release" "$scratch/root" "$mirror" >"$scratch/log" 2>&1 || { tail -20 "$scratch/log" >&2; exit 1; }
  rm -rf "$scratch"/root/var/cache/apt/archives/*.deb "$scratch"/root/usr/share/{doc,man,locale}/*
  container=$(images from scratch)
  images add --quiet "$container" "$scratch/root" / >/dev/null
  images commit --quiet --rm "$container" "$base" >/dev/null
  rm -rf --one-file-system "$scratch/root"
fi

# The stages that compile are left out: the binary is there.
mkdir -p "$scratch/source/target/dist" "$store"
deploy/packages/strip.sh "$binary" "$scratch/source/target/dist/limner" "$store/limner-$version.debug"
container=$(images from scratch)
images add --quiet "$container" "$scratch/source" /source >/dev/null
images commit --quiet --rm "$container" localhost/limner-binary >/dev/null
awk '/^FROM rust:/ { skipped = 1 } /^# hadolint ignore=DL3006/ { skipped = 0 } !skipped' deploy/docker/Dockerfile >"$scratch/Dockerfile"

for target in "$@"; do
  echo "Building $target"
  images build --quiet --isolation chroot --pull-never --layers --ignorefile deploy/docker/Dockerfile.dockerignore \
    --build-arg BINARY=localhost/limner-binary --build-arg VERSION="$version" --build-arg REVISION="$(git rev-parse HEAD 2>/dev/null || echo unknown)" \
    -f "$scratch/Dockerfile" --target "$target" -t "localhost/$target:$version" . >/dev/null
done
images rmi localhost/limner-binary >/dev/null 2>&1 || true
images images
