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
exec "$root/lib/node" "$root/lib/vigil/bin/vigil.js" "$@"
