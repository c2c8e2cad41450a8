/**
 * The only thing of ours between the server and an agent: a sleeping shell and its fork. Stored as text because we publish a bundle;
 * the host writes it into the data folder. `launch.sh RUN_DIR COMMAND [ARG...]`, with
 * fd 0 in.ndjson (read), fd 1 out.ndjson (append), fd 2 err.log (append).
 */
export const LAUNCH_SCRIPT = String.raw`# Signalbox starts an agent with this. It is read by shells that are running: replace the file, never edit it in place.
sb_d=$1; shift                                   # sb_ names: an exported user variable must reach the agent unchanged
mkfifo -m 600 "$sb_d/bell" && mkfifo -m 600 "$sb_d/pipe" || exit 125   # also the claim: a run starts once
trap : HUP INT TERM                              # caught, not ignored: this shell lives to write exit; its children get the defaults back
exec 4<&0 </dev/null                             # an asynchronous list gets /dev/null as fd 0, so in.ndjson is kept as 4
(                                                # the feeder: a fork of this shell
  exec 1>"$sb_d/pipe" 3<>"$sb_d/bell"            # pipe: waits for the agent. Bell before the first cat, so that no ring is missed; <> so that it never ends
  cat <&4 || exit                                # what was appended before we were up
  while read -r sb_w <&3; do
    cat <&4 || exit                              # from the kept offset to the end; a killed cat ends the input instead of skipping bytes
    [ "$sb_w" = end ] && exit                    # feed all, then give end of input
  done
) &
exec 4<&-
/bin/sh -c '
  sb_d=$1; shift
  rm -f "$sb_d/pipe"                             # both ends are open now; nobody else can inject
  if [ -r "/proc/$$/stat" ]; then read -r sb_s <"/proc/$$/stat"; read -r sb_b </proc/sys/kernel/random/boot_id
  else sb_s=$(LC_ALL=C TZ=UTC ps -o lstart= -p $$); sb_b=; fi
  printf "%s\n" "agent $$" "sh $PPID" "start $sb_s" "boot $sb_b" >"$sb_d/pids.new" && mv "$sb_d/pids.new" "$sb_d/pids"
  exec "$@"' sh "$sb_d" "$@" <"$sb_d/pipe"       # the agent records who it is, then becomes the command (same pid, same start time)
sb_c=$?
echo "$sb_c" >"$sb_d/exit.new" && mv "$sb_d/exit.new" "$sb_d/exit"     # atomic; on a full disk there is no exit rather than an empty one
exec 3<>"$sb_d/bell"; echo end >&3               # ends the feeder without a pid, which could have been reused
wait
rm -f "$sb_d/bell"
`;
