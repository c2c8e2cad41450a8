import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ScriptLine } from './wire.ts';

/** One printed piece: large enough that 100 MB are a few hundred events, small enough to hold in memory anywhere. */
const PIECE_CHARS = 256 * 1024;
/** How long output may wait for more, so that a chatty command doesn't become thousands of events. */
const GATHER_MS = 100;
/** The end of the output, as a failed script shows it. */
const TAIL_CHARS = 4000;
/** After a polite signal, the command gets this long. Less than the engine waits before it ends this program. */
const STOP_MS = 4000;
/** A child left in the background can keep the output open forever: after this long without output, the command is over. */
const LEFT_OPEN_MS = 1000;

export interface RunningCommand {
  /** Ends the command and everything it started. */
  stop(): void;
}

/** Runs a command without a shell of ours and without input. `print` is called with its output in order, `onEnded` once, at its end. */
export function runCommand(id: string, argv: readonly string[], print: (line: ScriptLine) => void, onEnded: () => void): RunningCommand {
  const at = () => new Date().toISOString();
  const startedAt = performance.now();
  let stopped = false;
  let isOver = false;
  let tail = '';
  print({ type: 'began', id, command: shownCommand(argv), at: at() });
  const gathering = createGathering((stream, text) => {
    tail = (tail + text).slice(-TAIL_CHARS);
    print({ type: 'output', id, stream, text, at: at() });
  });
  const end = (code: number | null, signal: string | null): void => {
    if (isOver) return;
    isOver = true;
    gathering.flush();
    print({ type: 'ended', id, code, signal, ms: Math.round(performance.now() - startedAt), tail, stopped, at: at() });
    onEnded();
  };
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  gathering.read('stdout', child.stdout);
  gathering.read('stderr', child.stderr);
  // A shell says 127 for a program that it can't find.
  child.once('error', (error) => {
    gathering.add('stderr', `${error.message}\n`);
    end(127, null);
  });
  child.once('close', end);
  child.once('exit', (code, signal) => {
    const whenSilent = (): void => {
      const leftMs = LEFT_OPEN_MS - (performance.now() - gathering.lastAt());
      if (leftMs <= 0) end(code, signal);
      else setTimeout(whenSilent, leftMs);
    };
    setTimeout(whenSilent, LEFT_OPEN_MS);
  });
  return {
    stop: () => {
      stopped = true;
      signalGroup(child, 'SIGTERM');
      setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS).unref();
    },
  };
}

/** The command leads a process group of its own. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone.
  }
}

type Stream = 'stdout' | 'stderr';

/** Collects output into pieces, in the order in which it came. */
function createGathering(put: (stream: Stream, text: string) => void) {
  let gathered: { readonly stream: Stream; text: string } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastAt = performance.now();
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const piece = gathered;
    gathered = undefined;
    if (piece !== undefined && piece.text !== '') put(piece.stream, piece.text);
  };
  const add = (stream: Stream, text: string): void => {
    if (text === '') return;
    lastAt = performance.now();
    if (gathered?.stream !== stream) flush();
    gathered ??= { stream, text: '' };
    gathered.text += text;
    if (gathered.text.length >= PIECE_CHARS) flush();
    else timer ??= setTimeout(flush, GATHER_MS);
  };
  return {
    add,
    flush,
    lastAt: () => lastAt,
    /** A character can be split between two reads. */
    read: (stream: Stream, from: Readable): void => {
      const decoder = new StringDecoder('utf8');
      from.on('data', (chunk: Buffer) => add(stream, decoder.write(chunk)));
      from.on('end', () => add(stream, decoder.end()));
    },
  };
}

/** As a person would type it. Only shown, never run. */
export const shownCommand = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
