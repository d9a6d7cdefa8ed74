#!/bin/sh
# Puts what backup.sh has copied onto a shelf, which may be a new and empty one, and the desk into
# $CREDIT_ATLAS_DESK: a new database, or a file that is not there yet.
#   restore.sh FOLDER SHELF [DESK-FILE]
set -eu
folder=$1 shelf=$2 desk=${3:-}
here=${CREDIT_ATLAS:-creditatlas}
case $desk in
"" | *.dump) ;;
*)
  if [ -e "$CREDIT_ATLAS_DESK" ]; then
    echo "restore.sh: '$CREDIT_ATLAS_DESK' is there already; move it away first" >&2
    exit 2
  fi
  ;;
esac
"$here" follow --from "$folder/shelf" --once --store "$folder/store"
"$here" publish --to "$shelf" --store "$folder/store"
case $desk in
"") ;;
*.dump) pg_restore --no-owner --exit-on-error --dbname="$CREDIT_ATLAS_DESK" "$desk" ;;
*) cp "$desk" "$CREDIT_ATLAS_DESK" ;;
esac
