import { type Cli, startCli } from './cli.ts';
import { Connection } from './connection.ts';
import { openDoor } from './door.ts';
import { endCli, isAnswerToEnd, within } from './ending.ts';
import { linesOf } from './lines-in.ts';
import { createLinesOut, type LinesOut } from './lines-out.ts';
import { createRepeats } from './repeats.ts';

/** Starts took up to 4 s under load, and a lost connection came back after one. */
const ABSENT_MS = 60_000;
/** What a CLI that has ended had still sent is in the socket. */
const LAST_FRAMES_MS = 1000;

/** Runs the CLI behind lines on stdin and stdout; its exit code. Whatever ends one side ends the other. */
export async function bridge(command: string, args: readonly string[]): Promise<number> {
  const out = createLinesOut(1, (error) => end(`The output cannot be written (${error}).`));
  const connection = new Connection({
    heard: hearing(out),
    absent: () => end(`Nobody has been connected for ${ABSENT_MS / 1000} s.`),
    absentMs: ABSENT_MS,
  });
  const door = await openDoor((socket) => connection.enter(socket));
  const cli = startCli(command, [...args, '--sdk-url', door.url], { ...process.env, CLAUDE_CODE_SESSION_ACCESS_TOKEN: door.token });
  const end = ender(cli, connection);
  passSignals(cli, end);
  void feed(connection).then(() => end());
  const code = await cli.exited;
  await lastWords(connection, out);
  return code;
}

/** One frame is one line, as far as was seen; a line that came before over another socket is left out. */
function hearing(out: LinesOut): (text: string) => Promise<void> | undefined {
  const isRepeated = createRepeats();
  return (text) => {
    for (const line of text.split('\n')) if (line !== '' && !isAnswerToEnd(line) && !isRepeated(line)) out.put(line);
    return out.isBehind ? out.flushed() : undefined;
  };
}

type End = (why?: string) => boolean;

/** Ends the CLI once, for whatever reason comes first; false when that is under way. */
function ender(cli: Cli, connection: Connection): End {
  let isEnding = false;
  return (why) => {
    if (isEnding) return false;
    isEnding = true;
    if (why !== undefined) process.stderr.write(`${why} The CLI is ended.\n`);
    void endCli(cli, connection);
    return true;
  };
}

/** An interrupt by the host means the whole run, as it does for the CLI on stdio. The others are passed on. */
function passSignals(cli: Cli, end: End): void {
  process.on('SIGINT', () => {
    if (!end()) cli.signal('SIGINT');
  });
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => cli.signal(name));
}

async function feed(connection: Connection): Promise<void> {
  for await (const line of linesOf(process.stdin)) await connection.give(line);
}

/** On a full disk that takes as long as it takes. */
async function lastWords(connection: Connection, out: LinesOut): Promise<void> {
  const left = connection.left();
  while (!(await within(LAST_FRAMES_MS, left)) && out.isBehind);
  await out.flushed();
}
