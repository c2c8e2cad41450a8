import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Adapter } from '../../src/agents/adapter.ts';
import type { CommandId } from '../../src/protocol/ids.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import type { Speaker } from './speaker.ts';
import type { Subject } from './subject.ts';
import { createWait, type Wait } from './wait.ts';

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

/** The program on two pipes: the same command, environment and lines as behind the server, and nothing in between. */
export async function openBare({ title, adapter, example, bench }: Subject): Promise<Speaker> {
  const opening = { cwd: bench.server.project, options: {}, mode: 'new', agentSessionId: randomUUID() } as const;
  const args = example.args.map((arg) => arg.replaceAll(example.agentSessionId || opening.agentSessionId, opening.agentSessionId));
  const since = performance.now();
  const program = spawn(example.command, args, { cwd: opening.cwd, env: example.env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const wait = createWait<Observation>(`${title} alone`);
  const talk = talkWith(program, adapter, wait);
  const isReady = wait.next('word that it is ready', ({ type }) => type === 'agent.ready');
  talk.write(adapter.greet(opening));
  await isReady;
  return { readyMs: performance.now() - since, say: (text) => say(adapter, talk, wait, text), close: () => kill(program) };
}

interface Talk {
  write(lines: readonly string[]): void;
  /** What the adapter made of all that was printed. */
  state(): unknown;
}

function talkWith(program: Program, adapter: Adapter, wait: Wait<Observation>): Talk {
  let state = adapter.initial();
  let lastWords = '';
  const write = (lines: readonly string[]): void => {
    for (const line of lines) program.stdin.write(`${line}\n`);
  };
  createInterface(program.stdout).on('line', (line) => {
    const told = adapter.translate(state, line);
    state = told.state;
    write(told.replies);
    for (const observation of told.observations) wait.see(observation);
  });
  program.stderr.setEncoding('utf8').on('data', (words: string) => {
    lastWords = `${lastWords}${words}`.slice(-1000);
  });
  program.stdin.on('error', () => undefined);
  program.once('error', (error) => wait.fail(`cannot be started: ${error.message}`));
  program.once('exit', (code, signal) => wait.fail(`ended with ${code ?? signal}: ${lastWords}`));
  return { write, state: () => state };
}

async function say(adapter: Adapter, talk: Talk, wait: Wait<Observation>, text: string): Promise<number> {
  const isOver = wait.next('end of the turn', ({ type }) => type === 'turn.ended');
  const began = performance.now();
  talk.write(adapter.encode({ kind: 'input', commandId: randomUUID() as CommandId, text, images: [], steer: false }, talk.state()));
  await isOver;
  return performance.now() - began;
}

async function kill(program: Program): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const gone = new Promise((resolve) => program.once('exit', resolve));
  process.kill(-program.pid, 'SIGKILL');
  await gone;
}
