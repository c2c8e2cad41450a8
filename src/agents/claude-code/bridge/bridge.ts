import { type Cli, startCli } from './cli.ts';
import { Connection } from './connection.ts';
import { createRepeats } from './duplicates.ts';
import { endCli, isAnswerToEnd, within } from './end-cli.ts';
import { linesOf } from './lines-in.ts';
import { createLinesOut, type LinesOut } from './lines-out.ts';
import { openListener } from './listener.ts';

/** The CLI took up to 4 s to start under load, and reconnected one second after it lost the connection. */
const ABSENT_MS = 60_000;
/** Frames that the CLI sent before it exited may still be in the socket. */
const LAST_FRAMES_MS = 1000;

/** Runs the CLI and exposes it as lines on stdin and stdout; returns its exit code. When one side ends, so does the other. */
export async function bridge(command: string, args: readonly string[]): Promise<number> {
  const out = createLinesOut(1, (error) => end(`The output cannot be written (${error}).`));
  const connection = new Connection({
    onFrame: forwardFrames(out),
    onAbsent: () => end(`Nobody has been connected for ${ABSENT_MS / 1000} s.`),
    absentMs: ABSENT_MS,
  });
  const listener = await openListener((socket) => connection.accept(socket));
  const cli = startCli(command, [...args, '--sdk-url', listener.url], { ...process.env, CLAUDE_CODE_SESSION_ACCESS_TOKEN: listener.token });
  const end = createEnd(cli, connection);
  passSignals(cli, end);
  void feed(connection).then(() => end());
  const code = await cli.exited;
  await drainOutput(connection, out);
  return code;
}

/** Every frame seen so far was one line. Lines that already arrived over another socket are dropped. */
function forwardFrames(out: LinesOut): (text: string) => Promise<void> | undefined {
  const isRepeated = createRepeats();
  return (text) => {
    for (const line of text.split('\n')) if (line !== '' && !isAnswerToEnd(line) && !isRepeated(line)) out.put(line);
    return out.isBehind ? out.flushed() : undefined;
  };
}

type End = (why?: string) => boolean;

/** Ends the CLI only once, for the first reason; returns false when it is already ending. */
function createEnd(cli: Cli, connection: Connection): End {
  let isEnding = false;
  return (why) => {
    if (isEnding) return false;
    isEnding = true;
    if (why !== undefined) process.stderr.write(`${why} The CLI is ended.\n`);
    void endCli(cli, connection);
    return true;
  };
}

/** SIGINT from the host ends the run, as it does for the CLI on stdio. Other signals are passed on. */
function passSignals(cli: Cli, end: End): void {
  process.on('SIGINT', () => {
    if (!end()) cli.signal('SIGINT');
  });
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => cli.signal(name));
}

async function feed(connection: Connection): Promise<void> {
  for await (const line of linesOf(process.stdin)) await connection.deliver(line);
}

/** A full disk delays this, so there is no time limit while output is waiting. */
async function drainOutput(connection: Connection, out: LinesOut): Promise<void> {
  const closed = connection.closed();
  while (!(await within(LAST_FRAMES_MS, closed)) && out.isBehind);
  await out.flushed();
}
