#!/bin/sh
# Starts Vigil with the Node beside it, whatever is installed on the machine.
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
root=$(CDPATH='' cd -- "$(dirname -- "$self")/.." && pwd)
# Node needs libatomic, which a bare machine lacks. Where the machine has one, that one fits it best.
for found in /lib64/libatomic.so.1 /usr/lib64/libatomic.so.1 /lib/x86_64-linux-gnu/libatomic.so.1 /lib/aarch64-linux-gnu/libatomic.so.1; do
  if [ -e "$found" ]; then break; fi
done
if [ ! -e "$found" ]; then
  export LD_LIBRARY_PATH="$root/lib/system${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
# The service would set them itself, and start a second time for it (src/cli/serve/service-process.ts).
if [ "${1:-}" = serve ]; then
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX-256}"
  export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_-262144}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_-262144}"
  exec "$root/lib/node" --v8-pool-size=1 "$root/lib/vigil/bin/vigil.js" "$@"
fi
exec "$root/lib/node" "$root/lib/vigil/bin/vigil.js" "$@"
