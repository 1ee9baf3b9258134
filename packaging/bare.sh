# SPDX-License-Identifier: Apache-2.0
# For tests on a bare Debian, in a chroot: to be sourced. It needs root and a mirror of Debian; without them it exits
# with 77. The caller's arguments are those of the test, which starts once more in a mount space of its own.
[ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null || { echo "needs root and debootstrap"; exit 77; }
[ -n "${TF_PRIVATE_MOUNTS:-}" ] || TF_PRIVATE_MOUNTS=1 exec unshare --mount -- "$0" "$@"
folder=$(mktemp -d)
trap 'umount "$folder"/*/{dev/pts,proc,sys} 2>/dev/null || true; rm -rf --one-file-system "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# inside NAME COMMANDS: run commands of a shell in the Debian of this name
inside() {
  chroot "$folder/$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 sh -euc "$2"
}

# bare NAME SUITE: make a Debian, with /sys if bare_sys is set
bare() {
  debootstrap --variant=minbase "$2" "$folder/$1" >"$folder/log" 2>&1 || { tail "$folder/log"; exit 77; }
  mount -t proc proc "$folder/$1/proc"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$folder/$1/dev/pts" # for programs that open terminals
  ln -sf pts/ptmx "$folder/$1/dev/ptmx"
  [ "${bare_sys:-}" = "" ] || mount -t sysfs sys "$folder/$1/sys"
  cp /etc/resolv.conf "$folder/$1/etc"
  echo "127.0.0.1 localhost" >"$folder/$1/etc/hosts"
}

# sources NAME REPOSITORY: unpack the commit that is checked out to /source
sources() {
  mkdir "$folder/$1/source"
  git -C "$2" archive HEAD | tar -x -C "$folder/$1/source"
}
