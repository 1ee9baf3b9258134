#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the container image of a release: by podman, docker or buildah, the first one that can run it on this host.
# Where none can, the files of the image run under chroot, which needs umoci and root. Exits with 77 if that is
# impossible too.
# Usage: packaging/test_image.sh ARCHIVE VERSION [WAY]    WAY: podman, docker, buildah or chroot, and no other
set -eu
[ $# -ge 2 ] || { sed -n 's/^# \?//; 6p' "$0" >&2; exit 2; }
archive=$(readlink -f "$1") version=$2
name=localhost/tilefarm:${version/+/_}
folder=$(mktemp -d)
store=(--root "$folder/store" --runroot "$folder/run")
limits=(--ulimit nofile=1024:1024 --ulimit nproc=1000:1000) # a host may refuse to raise its own
loaded=''
finish() {
  [ "$loaded" != docker ] || docker image rm "$name" >/dev/null 2>&1
  if [ "$loaded" = store ]; then
    ! mountpoint -q "$folder/store/overlay" || umount "$folder/store/overlay"
    [ "$(id -u)" -eq 0 ] || podman unshare rm -rf "$folder/store" # files of other users
  fi
  rm -rf "$folder"
}
trap finish EXIT
fail() { echo "FAILED: $*"; exit 1; }
mkdir -m 777 "$folder/work"

# Each way has two functions: load_WAY prepares the image, and by_WAY ARGUMENTS... runs tilefarm in it. The last two
# do not use the entry point.
podman_in() { podman "${store[@]}" --cgroup-manager cgroupfs "${runtime[@]}" "$@"; }
load_podman() { loaded=store; podman_in load -q -i "$archive"; }
by_podman() { podman_in run --rm --network none "${limits[@]}" -v "$folder/work:/work" "$name" "$@"; }
load_docker() { docker load -q -i "$archive" && loaded=docker; }
by_docker() { docker run --rm --network none -v "$folder/work:/work" "$name" "$@"; }
load_buildah() {
  loaded=store
  container=$(buildah "${store[@]}" from --isolation chroot "${limits[@]}" "oci-archive:$archive:$name")
}
by_buildah() {
  buildah "${store[@]}" run --isolation chroot -v "$folder/work:/work" "$container" -- tilefarm "$@"
}
load_chroot() {
  mkdir -p "$folder/layout"
  tar -xf "$archive" -C "$folder/layout" && umoci unpack --image "$folder/layout:$name" "$folder/bundle"
}
by_chroot() { # with /proc, as every runtime has it; the mounts go with the process
  # shellcheck disable=SC2016 # for the inner shell
  unshare --mount sh -c 'mount -t proc proc "$0/proc" && mount --bind "$1" "$0/work" && shift &&
    exec chroot --userspec=1000:1000 "$0" sh -c "cd /work && exec tilefarm \"\$@\"" sh "$@"' \
    "$folder/bundle/rootfs" "$folder/work" "$@"
}

# can WAY TOOL: this way runs the image; else say why not
can() {
  command -v "$2" >/dev/null || { echo "image: there is no $2"; return 1; }
  { "load_$1" && "by_$1" --version; } >"$folder/log" 2>&1 && return
  echo "image: $1${runtime[1]:+ by ${runtime[1]}} cannot run it on this host: $(tail -n 1 "$folder/log")"
  return 1
}
way='' runtime=()
for one in podman "podman runc" docker buildah "chroot umoci"; do
  [ "${3:-${one% *}}" = "${one% *}" ] || continue
  case $one in
  "podman runc") runtime=(--runtime runc); command -v runc >/dev/null && can podman podman && way=podman ;;
  "chroot umoci") can chroot umoci && way=chroot ;;
  *) can "$one" "$one" && way=$one ;;
  esac
  [ -z "$way" ] || break
  runtime=()
done
[ -n "$way" ] || { echo "image: nothing here runs it; install podman, docker, buildah, or umoci"; exit 77; }

inside() { "by_$way" "$@" </dev/null; }
found=$(inside --version | sed 's/^tilefarm //; s/,.*//')
[ "$found" = "$version" ] || fail "the image is of version $found"
inside cc -c B /usr/share/tilefarm/examples/tutorial/1-hello.c -o hello.elf || fail "cc in the image"
[ -s "$folder/work/hello.elf" ] || fail "/work is not where the image runs"
inside run --load B=hello.elf@all --quiet || fail "a program in the image"
inside run ring --quiet || fail "a workload in the image"
inside run --load B=hello.elf@0 --limit-cycles 1 --quiet >"$folder/log" 2>&1 && fail "a failed run has ended with 0"
echo "image: runs by $way"
