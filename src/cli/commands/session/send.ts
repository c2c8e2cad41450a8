import { randomUUID } from 'node:crypto';
import { InputAnswer, PermissionList, type WaitingPermission } from '../../../protocol/http.ts';
import { CommandId } from '../../../protocol/ids.ts';
import { safeJson } from '../../../protocol/odd-characters.ts';
import type { Session } from '../../../protocol/session.ts';
import { type CliCommand, EXIT, type Given, textOf, UsageProblem } from '../../shared/command.ts';
import type { CliDeps } from '../../shared/deps.ts';
import { findSession } from '../../shared/find-session.ts';
import { type Answer, type MessageOutcome, NOT_STARTED, progressOf } from '../../shared/message-progress.ts';
import { printable } from '../../shared/paint.ts';
import { addressOf, linkTo, type ServerLink } from '../../shared/server-link.ts';
import { timeoutIn, until } from '../../shared/until.ts';

export const sendCommand: CliCommand = {
  name: 'send',
  summary: 'Send a message to a session; with --wait, print the answer',
  help: `
Usage: signalbox send SESSION "MESSAGE" [flags]

The message joins the session's queue and wakes its agent. Without a MESSAGE, or with "-",
it is read from stdin.

  --wait           wait for the end of its turn and print the agent's answer
  --timeout TIME   with --wait: give up after this time (90, 90s, 5m, 2h)
  --now            send it into the running turn, if the agent can take it there
  --id ID          an id of your own for the message: sent again with the same id, it is
                   the same message, so a script can repeat a call that was cut off
  --json           print one JSON object

Exit codes: 0 done; 1 the turn failed, was interrupted, or took too long; 3 a request needs
a person first (answer it, then repeat the call with the same --id); 4 not allowed.

Examples:
  signalbox send 3kf9 "and now the docs"
  signalbox send 3kf9 "which tests fail?" --wait
  git diff | signalbox send 3kf9 - --wait --timeout 10m --json
`,
  flags: {
    wait: { type: 'boolean' },
    timeout: { type: 'string' },
    now: { type: 'boolean' },
    id: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (deps, given, [id, ...words]) => {
    const timeoutMs = timeoutIn(textOf(given, 'timeout'));
    if (timeoutMs !== undefined && given.wait !== true) throw new UsageProblem('--timeout belongs to --wait');
    const link = linkTo(deps, deps.loadConfig({ data: given.data }));
    const session = await findSession(link, id);
    const message: Message = { sessionId: session.id, commandId: commandIdIn(given) };
    const text = await textIn(deps, words);
    const receipt = await link.ask(InputAnswer, `${addressOf(session.id)}/input`, {
      text,
      commandId: message.commandId,
      ...(given.now === true && { mode: 'steer' }),
    });
    if (given.wait !== true) return said(deps, given, { ...message, ...receipt }, `${receipt.queued ? 'Queued' : 'Sent'} ${message.commandId}\n`, EXIT.ok);
    const end = await outcomeOf(deps, link, message, receipt.seq, timeoutMs);
    return tell(deps, given, link, { ...message, seq: receipt.seq }, end);
  },
};

interface Message {
  readonly sessionId: string;
  readonly commandId: CommandId;
}

function commandIdIn(given: Given): CommandId {
  const id = CommandId.safeParse(textOf(given, 'id') ?? randomUUID());
  if (!id.success) throw new UsageProblem('--id can have 1 to 200 characters');
  return id.data;
}

async function textIn({ stdin }: CliDeps, words: readonly string[]): Promise<string> {
  const [first] = words;
  const text = first === undefined || (first === '-' && words.length === 1) ? await textFrom(stdin) : words.join(' ');
  if (text.trim() === '') throw new UsageProblem('give a message in quotes, or on stdin');
  return text;
}

async function textFrom(stdin: CliDeps['stdin']): Promise<string> {
  if (stdin.isTTY === true) throw new UsageProblem('give a message in quotes, or on stdin');
  const pieces: Buffer[] = [];
  for await (const piece of stdin) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}

type End =
  | MessageOutcome
  | { readonly kind: 'needs-person'; readonly requests: readonly WaitingPermission[] }
  | { readonly kind: 'stuck'; readonly problem: string };

/** The message was accepted with event `seq`: everything after it is read, however often server and connection are lost meanwhile. */
function outcomeOf(
  deps: CliDeps,
  link: ServerLink,
  { sessionId, commandId }: Message,
  seq: number,
  timeoutMs: number | undefined,
): Promise<End | 'late' | 'stopped'> {
  let progress = NOT_STARTED;
  return until<End>(deps, { link, sessionId, after: seq - 1, timeoutMs }, (done, fail) => ({
    event: (event) => {
      progress = progressOf(progress, commandId, event);
      if (progress.outcome !== undefined) done(progress.outcome);
    },
    session: (session) => {
      if (progress.outcome !== undefined) return;
      const obstacle = obstacleOf(session, commandId);
      if (obstacle !== undefined) done(obstacle);
      if (session.waiting > 0) openRequests(link, sessionId).then((requests) => requests.length > 0 && done({ kind: 'needs-person', requests }), fail);
    },
    gone: () => done({ kind: 'cancelled', problem: 'the session was deleted' }),
  }));
}

/** What keeps a queued message from ever being delivered by itself. */
function obstacleOf({ id, queue, queuePaused, status, lastLine }: Session, commandId: string): End | undefined {
  const mine = queue.find((input) => input.commandId === commandId);
  if (mine?.state !== 'accepted') return undefined;
  if (queuePaused === true && mine.mode === 'queue') return { kind: 'needs-person', requests: [] };
  return status === 'failed'
    ? { kind: 'stuck', problem: `the agent of ${id} failed${lastLine === undefined ? '' : ` (${lastLine})`}; the message stays queued` }
    : undefined;
}

/** A rule may have answered meanwhile: only what is still open needs a person. */
export const openRequests = async (link: ServerLink, sessionId: string): Promise<readonly WaitingPermission[]> =>
  (await link.ask(PermissionList, `/api/permissions?session=${encodeURIComponent(sessionId)}`)).permissions;

const EXIT_OF = {
  done: EXIT.ok,
  failed: EXIT.failed,
  interrupted: EXIT.failed,
  cancelled: EXIT.failed,
  stuck: EXIT.failed,
  'needs-person': EXIT.needsPerson,
} as const;

async function tell(
  deps: CliDeps,
  given: Given,
  link: ServerLink,
  message: Message & { readonly seq: number },
  end: End | 'late' | 'stopped',
): Promise<number> {
  if (end === 'late' || end === 'stopped') {
    const problem = `${end === 'late' ? 'No answer yet' : 'Stopped waiting'}. The message keeps its place; wait again with --id ${message.commandId}`;
    deps.stderr.write(`${problem}\n`);
    return said(deps, given, { ...message, outcome: end }, '', EXIT.failed);
  }
  const text = 'answer' in end ? await fullText(link, end.answer) : undefined;
  const facts = 'requests' in end ? { requests: end.requests.map(({ requestId }) => requestId) } : withoutAnswer(end);
  if (end.kind !== 'done') deps.stderr.write(`${problemText(message, end)}\n`);
  return said(
    deps,
    given,
    { ...message, outcome: end.kind, ...facts, ...(text !== undefined && { text }) },
    text === undefined ? '' : printableAnswer(text),
    EXIT_OF[end.kind],
  );
}

function withoutAnswer(end: Exclude<End, { readonly kind: 'needs-person' }>): object {
  const { kind: _kind, ...facts } = end;
  return 'answer' in facts ? { ...facts, answer: undefined } : facts;
}

function problemText({ sessionId, commandId }: Message, end: End): string {
  if (end.kind === 'needs-person') {
    const again = `Then repeat this with --id ${commandId}`;
    if (end.requests.length === 0) return `The queue is paused: signalbox queue ${sessionId} --resume. ${again}`;
    return [...end.requests.map(({ requestId }) => `Needs your answer: signalbox answer ${requestId} --allow (or --deny)`), again].join('\n');
  }
  const what = PROBLEMS[end.kind];
  const problem = 'problem' in end ? end.problem : undefined;
  return printable(problem === undefined ? what : `${what}: ${problem}`);
}

const PROBLEMS = {
  done: 'Done',
  failed: 'The turn failed',
  interrupted: 'The turn was interrupted',
  cancelled: 'The message was cancelled',
  stuck: 'The message can’t be delivered',
} as const;

/** An answer ends with a line break, like any other output. */
const printableAnswer = (text: string): string => (text === '' || text.endsWith('\n') ? printable(text) : `${printable(text)}\n`);

async function fullText(link: ServerLink, answer: Answer): Promise<string> {
  const pieces = await Promise.all(answer.map(({ text, blob }) => (blob === undefined ? text : textOfBlob(link, blob.sha256))));
  return pieces.join('\n\n');
}

async function textOfBlob(link: ServerLink, sha256: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await link.now().fetchFile(`/api/blobs/${sha256}`)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function said(deps: CliDeps, given: Given, json: object, text: string, code: number): number {
  deps.stdout.write(given.json === true ? `${safeJson(json)}\n` : text);
  return code;
}
