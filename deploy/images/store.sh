# Sourced: `images` is buildah with the store of these scripts.
store=${LIMNER_IMAGES:-$PWD/target/images}
images() {
  buildah --root "$store/root" --runroot "$store/run" "$@"
}
