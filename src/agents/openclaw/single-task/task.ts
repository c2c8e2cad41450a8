import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';

export interface TaskOptions {
  readonly openclaw: readonly string[];
  readonly cwd: string;
  readonly runId: string;
  readonly message: string;
  readonly model?: string | undefined;
  readonly thinkingLevel?: string | undefined;
}

export interface Task {
  /** Whether there was still something to stop. */
  stop(): boolean;
  readonly done: Promise<void>;
}

/** Time for the process to clean up. */
const GRACE_MS = 2000;
const ERROR_CHARS = 1000;

/** What `openclaw agent exec --json` prints when it ends (2026.9.6). */
const Envelope = z.looseObject({
  ok: z.boolean(),
  final: z.nullish(z.string()),
  usage: z.nullish(z.looseObject({})),
  model: z.nullish(z.string()),
  provider: z.nullish(z.string()),
  error: z.nullish(z.looseObject({ message: z.string() })),
  toolSummary: z.nullish(z.looseObject({ calls: z.int(), tools: z.array(z.string()), failures: z.int() })),
});
type Envelope = z.infer<typeof Envelope>;

export function startTask(options: TaskOptions, put: (frame: object) => void): Task {
  const { runId } = options;
  const child = spawned(options);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  let isStopped = false;
  put({ type: 'event', event: 'agent', payload: { runId, stream: 'run_status', data: { phase: 'starting' } } });
  child.stdin?.on('error', () => undefined).end(options.message);
  const done = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(undefined));
  }).then((problem) => {
    const envelope = envelopeIn(stdout());
    const errorText = problem ?? stderr().trim().slice(-ERROR_CHARS);
    for (const payload of isStopped ? [{ event: 'chat', payload: { runId, state: 'aborted' } }] : ending(runId, envelope, errorText))
      put({ type: 'event', ...payload });
    if (!isStopped && envelope?.toolSummary) put({ type: 'keeper', phase: 'note', text: toolsIn(envelope.toolSummary) });
  });
  return {
    done,
    stop: () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
      isStopped = true;
      signal(child.pid, 'SIGTERM');
      setTimeout(signal, GRACE_MS, child.pid, 'SIGKILL').unref();
      return true;
    },
  };
}

/** The task is passed on stdin, where it can be any length. No time limit: a person stops it. */
function spawned({ openclaw: [command = '', ...before], cwd, model, thinkingLevel }: TaskOptions): ChildProcess {
  const chosen = [...(model === undefined ? [] : ['--model', model]), ...(thinkingLevel === undefined ? [] : ['--thinking', thinkingLevel])];
  const args = [...before, 'agent', 'exec', '--message-file', '-', '--cwd', cwd, '--json', '--timeout', '0', ...chosen];
  return spawn(command, args, { cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  const pieces: Buffer[] = [];
  stream?.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString('utf8');
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    return Envelope.parse(JSON.parse(text.slice(text.indexOf('{'))));
  } catch {
    return undefined;
  }
}

/** The answer as a stored message, and the end of the run. */
function ending(runId: string, envelope: Envelope | undefined, errorText: string): readonly { readonly event: string; readonly payload: object }[] {
  if (envelope?.ok !== true) {
    const errorMessage = envelope?.error?.message ?? (envelope?.final || errorText || 'OpenClaw ended without an answer');
    return [{ event: 'chat', payload: { runId, state: 'error', errorMessage } }];
  }
  const { final, usage, model, provider } = envelope;
  const content = final ? [{ type: 'text', text: final }] : [];
  const meta = { runId, recordTimestampMs: Date.now() };
  const message = { role: 'assistant', content, ...(model && { model }), ...(provider && { provider }), usage, stopReason: 'stop', __openclaw: meta };
  return [
    { event: 'session.message', payload: { messageId: randomUUID(), message } },
    { event: 'chat', payload: { runId, state: 'final', stopReason: 'stop' } },
  ];
}

const toolsIn = ({ calls, tools, failures }: NonNullable<Envelope['toolSummary']>): string =>
  calls === 0 ? 'It called no tools.' : `It called tools ${calls} times (${tools.join(', ')}), of which ${failures} failed.`;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended.
  }
}
