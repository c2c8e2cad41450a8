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
  /** The conversation to continue; without one, the task leaves no record. */
  readonly sessionId?: string | undefined;
  /** How long a message of a conversation may take; 30 minutes by default. */
  readonly limitMs?: number;
}

export interface Task {
  /** Whether there was still something to stop. */
  stop(): boolean;
  readonly done: Promise<void>;
}

/** Time for the process to clean up. */
const GRACE_MS = 2000;
const ERROR_CHARS = 1000;
/** A message of a conversation may take this long; a single task has no limit. */
const LIMIT_MS = 30 * 60_000;
/** The kernel's limit for one argument is 128 KB. */
const ARGUMENT_BYTES = 100_000;

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
  let hasTimedOut = false;
  const limit = options.sessionId === undefined ? undefined : setTimeout(timeOut, options.limitMs ?? LIMIT_MS);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  let isStopped = false;
  put({ type: 'event', event: 'agent', payload: { runId, stream: 'run_status', data: { phase: 'starting' } } });
  child.stdin?.on('error', () => undefined).end(options.message);
  const done = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(undefined));
  }).then((problem) => {
    clearTimeout(limit);
    const envelope = envelopeIn(stdout());
    const errorText = hasTimedOut ? TOO_LONG : (problem ?? stderr().trim().slice(-ERROR_CHARS));
    for (const payload of isStopped ? [{ event: 'chat', payload: { runId, state: 'aborted' } }] : ending(runId, envelope, errorText))
      put({ type: 'event', ...payload });
    if (!isStopped && envelope?.toolSummary) put({ type: 'keeper', phase: 'note', text: toolsIn(envelope.toolSummary) });
  });
  function timeOut(): void {
    hasTimedOut = true;
    stopChild(true);
  }
  function stopChild(isLate = false): boolean {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
    isStopped = !isLate;
    signal(child.pid, 'SIGTERM');
    setTimeout(signal, GRACE_MS, child.pid, 'SIGKILL').unref();
    return true;
  }
  return { done, stop: () => stopChild() };
}

const TOO_LONG = 'OpenClaw was stopped: a message without its Gateway may take 30 minutes.';

function spawned({ openclaw: [command = '', ...before], cwd, model, thinkingLevel, sessionId, message }: TaskOptions): ChildProcess {
  const chosen = [...(model === undefined ? [] : ['--model', model]), ...(thinkingLevel === undefined ? [] : ['--thinking', thinkingLevel])];
  const task = sessionId === undefined ? taskArgs(cwd) : messageArgs(sessionId, message);
  return spawn(command, [...before, 'agent', ...task, ...chosen], { cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** The task is passed on stdin, where it can be any length. No time limit: a person stops it. */
const taskArgs = (cwd: string): readonly string[] => ['exec', '--message-file', '-', '--cwd', cwd, '--json', '--timeout', '0'];

/** Since 2026.9 or so, `--local` runs the agent in this process instead of the Gateway. Our own limit is the one that counts. */
function messageArgs(sessionId: string, message: string): readonly string[] {
  const words = Buffer.byteLength(message) <= ARGUMENT_BYTES ? ['--message', message] : ['--message-file', '-'];
  return ['--local', '--session-id', sessionId, ...words, '--json', '--timeout', String(LIMIT_MS / 1000)];
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  const pieces: Buffer[] = [];
  stream?.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString('utf8');
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const printed: unknown = JSON.parse(text.slice(text.indexOf('{')));
    const exec = z.safeParse(Envelope, printed);
    return exec.success ? exec.data : conversationEnvelope(z.parse(Answer, printed));
  } catch {
    return undefined;
  }
}

const Payloads = z.array(z.looseObject({ text: z.nullish(z.string()) }));
const Meta = z.looseObject({
  aborted: z.nullish(z.boolean()),
  agentMeta: z.nullish(z.looseObject({ provider: z.nullish(z.string()), model: z.nullish(z.string()), usage: z.nullish(z.looseObject({})) })),
});
const Result = z.looseObject({ payloads: z.nullish(Payloads), meta: z.nullish(Meta) });
const Block = z.looseObject({ type: z.string(), text: z.optional(z.string()) });

/** What `openclaw agent --json` prints: as others describe it (`message`), with `--local`, and through a Gateway (`result`; both 2026.9.6). */
const Answer = z.looseObject({
  ...Result.shape,
  status: z.nullish(z.string()),
  result: z.nullish(Result),
  message: z.nullish(z.looseObject({ content: z.union([z.string(), z.array(Block)]), usage: z.nullish(z.looseObject({})), model: z.nullish(z.string()) })),
  error: z.nullish(z.union([z.string(), z.looseObject({ message: z.string() })])),
});

function conversationEnvelope({ status, message, error, ...answer }: z.infer<typeof Answer>): Envelope {
  const reason = typeof error === 'string' ? { message: error } : error;
  if (reason || (status && !/^(?:ok|success|completed?)$/i.test(status)))
    return { ok: false, error: reason ?? { message: `OpenClaw ended with the status ${status}` } };
  if (message) {
    const { content, usage, model } = message;
    return { ok: true, final: typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''), usage, model };
  }
  const { payloads, meta } = answer.result ?? answer;
  const final = (payloads ?? []).flatMap(({ text }) => text ?? []).join('\n\n');
  return { ok: true, final, usage: meta?.agentMeta?.usage, model: meta?.agentMeta?.model, provider: meta?.agentMeta?.provider };
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
