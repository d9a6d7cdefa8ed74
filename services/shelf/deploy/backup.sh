#!/bin/sh
# Copies the current snapshot of a shelf, every byte verified on its way, and the desk.
#   backup.sh SHELF FOLDER
# FOLDER/shelf is a shelf itself; what earlier backups hold is not copied again. FOLDER/desk-... is
# what pg_dump or SQLite's own backup makes of $CREDIT_ATLAS_DESK; a password stands in ~/.pgpass, not
# in that address, or every user of the machine could read it while this runs.
set -eu
shelf=$1 folder=$2
here=${CREDIT_ATLAS:-creditatlas}
mkdir -p "$folder"
"$here" follow --from "$shelf" --once --store "$folder/store"
"$here" publish --to "$folder/shelf" --store "$folder/store"
"$here" snapshots gc --on "$folder/shelf" --keep "${KEEP:-10}"
stamp=$(date -u +%Y%m%d-%H%M%S)
case ${CREDIT_ATLAS_DESK:-} in
"") ;;
postgres://* | postgresql://*)
  pg_dump --format=custom --no-owner --file="$folder/desk-$stamp.dump" "$CREDIT_ATLAS_DESK"
  echo "Desk: $folder/desk-$stamp.dump"
  ;;
*)
  "${PYTHON:-python3}" -c '
import sqlite3, sys
source, target = (sqlite3.connect(path) for path in sys.argv[1:])
source.backup(target)
' "$CREDIT_ATLAS_DESK" "$folder/desk-$stamp.sqlite"
  echo "Desk: $folder/desk-$stamp.sqlite"
  ;;
esac
