/**
 * The process of a session on the bus: one `cat` in each direction between the run's lines and the keeper. Arguments: the keeper's
 * folder, and the command that starts a keeper. A session costs two sleeping `cat`s; the keeper is the only Node process for all of them.
 */
export const RELAY_SCRIPT = `
umask 077
d=$1; shift
n=$d/doors/$SIGNALBOX_RUN
mkdir -p "$d/doors" && mkfifo "$n.up" "$n.down" && echo $$ >"$n.new" && mv "$n.new" "$n.door" || exit 1
exec 3<&0 </dev/null                             # an asynchronous list gets /dev/null as fd 0
p=; { read -r p <"$d/pid"; } 2>/dev/null
# Announce first, then look for a keeper: one that is about to exit looks for doors once more after it has removed its pid file.
if [ -z "$p" ] || ! kill -0 "$p" 2>/dev/null || { [ -r "/proc/$p/cmdline" ] && ! grep -q 'openclaw[/-]keeper' "/proc/$p/cmdline"; }; then
  "$@" 3<&- >&2 || { rm -f "$n.up" "$n.down" "$n.door"; exit 1; }
fi
cat <&3 3<&- >"$n.up" &
exec cat <"$n.down" 3<&-
`;
