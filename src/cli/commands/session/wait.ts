import { isFailedTurn } from '../../../domain/transcript/outcomes.ts';
import type { WaitingPermission } from '../../../protocol/http.ts';
import { safeJson } from '../../../protocol/odd-characters.ts';
import { Session } from '../../../protocol/session.ts';
import { type CliCommand, EXIT, type Given, textOf, UsageProblem } from '../../shared/command.ts';
import type { CliDeps } from '../../shared/deps.ts';
import { findSession } from '../../shared/find-session.ts';
import { addressOf, linkTo, type ServerLink } from '../../shared/server-link.ts';
import { seqIn, timeoutIn, until } from '../../shared/until.ts';
import { openRequests } from './send.ts';

const GOALS = ['idle', 'turn', 'permission'] as const;
type Goal = (typeof GOALS)[number];

export const waitCommand: CliCommand = {
  name: 'wait',
  summary: 'Wait until sessions are idle, end a turn, or ask for permission',
  help: `
Usage: signalbox wait SESSION… [flags]

  --for WHAT       idle: nothing runs and nothing is queued (the default)
                   turn: the running turn is over; at once if nothing runs or is queued
                   permission: a request is open
  --after SEQ      with --for turn: the first turn that ends after this event
  --timeout TIME   give up after this time (90, 90s, 5m, 2h)
  --json           print one JSON object per session

Exit codes: 0 it is so; 1 the turn or the session failed, or the time is up; 3 a request
needs a person first (with --for permission: 0); 4 not allowed. With several sessions, 3
comes before 1.

Examples:
  signalbox wait 3kf9
  signalbox wait 3kf9 8dj2 --timeout 30m
  signalbox wait 3kf9 --for permission && signalbox inbox
`,
  flags: { for: { type: 'string' }, after: { type: 'string' }, timeout: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given, ids) => {
    const goal = GOALS.find((known) => known === (textOf(given, 'for') ?? 'idle'));
    if (goal === undefined) throw new UsageProblem(`--for must be idle, turn or permission, not "${textOf(given, 'for')}"`);
    const wish: Wish = { goal, after: seqIn('after', textOf(given, 'after')), timeoutMs: timeoutIn(textOf(given, 'timeout')) };
    if (wish.after !== undefined && goal !== 'turn') throw new UsageProblem('--after belongs to --for turn');
    const link = linkTo(deps, deps.loadConfig({ data: given.data }));
    const [first, ...others] = ids;
    const sessions = [await findSession(link, first), ...(await Promise.all(others.map((id) => findSession(link, id))))];
    const ends = await Promise.all(sessions.map(async (session) => tell(deps, given, session.id, await endOf(deps, link, session, wish))));
    return ends.includes(EXIT.needsPerson) ? EXIT.needsPerson : Math.max(...ends);
  },
};

interface Wish {
  readonly goal: Goal;
  readonly after: number | undefined;
  readonly timeoutMs: number | undefined;
}

type End =
  | { readonly kind: 'idle' | 'paused' | 'failed' | 'gone' }
  | { readonly kind: 'turn'; readonly failed: boolean; readonly interrupted: boolean; readonly seq: number }
  | { readonly kind: 'permission'; readonly requests: readonly WaitingPermission[] };

async function endOf(deps: CliDeps, link: ServerLink, found: Session, { goal, after, timeoutMs }: Wish): Promise<End | 'late' | 'stopped'> {
  // Read again: what was found by a prefix may be a moment old.
  const { lastSeq } = await link.ask(Session, addressOf(found.id));
  const options = { link, sessionId: found.id, after: after ?? lastSeq, timeoutMs };
  return until<End>(deps, options, (done, fail) => ({
    event: (event) => {
      if (goal === 'turn' && event.type === 'turn.completed')
        done({ kind: 'turn', failed: isFailedTurn(event), interrupted: event.interrupted, seq: event.seq });
    },
    session: (session) => {
      const rests = goal === 'permission' ? undefined : restOf(session);
      if (rests !== undefined) done(rests);
      if (session.waiting > 0) openRequests(link, session.id).then((requests) => requests.length > 0 && done({ kind: 'permission', requests }), fail);
    },
    gone: () => done({ kind: 'gone' }),
  }));
}

/** Whether nothing happens anymore unless somebody does something. */
function restOf({ status, queue, queuePaused, waiting }: Session): End | undefined {
  if (waiting > 0 || status === 'busy' || status === 'starting' || status === 'waiting') return undefined;
  if (status === 'failed') return { kind: 'failed' };
  if (queue.length > 0) return queuePaused === true ? { kind: 'paused' } : undefined;
  return { kind: 'idle' };
}

function tell(deps: CliDeps, given: Given, sessionId: string, end: End | 'late' | 'stopped'): number {
  const isAwaited = textOf(given, 'for') === 'permission';
  if (given.json === true) deps.stdout.write(`${safeJson({ sessionId, ...jsonOf(end) })}\n`);
  else if (typeof end === 'object' && end.kind === 'permission') tellRequests(isAwaited ? deps.stdout : deps.stderr, end.requests);
  else if (codeOf(end, isAwaited) !== EXIT.ok) deps.stderr.write(`${sessionId}: ${problemText(sessionId, end)}\n`);
  return codeOf(end, isAwaited);
}

const jsonOf = (end: End | 'late' | 'stopped'): object => {
  if (typeof end === 'string') return { outcome: end };
  const { kind, ...facts } = end;
  return { outcome: kind, ...('requests' in facts ? { requests: facts.requests.map(({ requestId }) => requestId) } : facts) };
};

function tellRequests(output: CliDeps['stdout'], requests: readonly WaitingPermission[]): void {
  for (const { requestId } of requests) output.write(`Needs your answer: signalbox answer ${requestId} --allow (or --deny)\n`);
}

function codeOf(end: End | 'late' | 'stopped', isAwaited: boolean): number {
  if (typeof end === 'string') return EXIT.failed;
  switch (end.kind) {
    case 'idle':
      return EXIT.ok;
    case 'turn':
      return end.failed || end.interrupted ? EXIT.failed : EXIT.ok;
    case 'permission':
      return isAwaited ? EXIT.ok : EXIT.needsPerson;
    case 'paused':
      return EXIT.needsPerson;
    case 'failed':
    case 'gone':
      return EXIT.failed;
  }
}

function problemText(sessionId: string, end: End | 'late' | 'stopped'): string {
  if (end === 'late') return 'the time is up';
  if (end === 'stopped') return 'stopped waiting';
  switch (end.kind) {
    case 'turn':
      return end.interrupted ? 'the turn was interrupted' : 'the turn failed';
    case 'paused':
      return `its queue is paused: signalbox queue ${sessionId} --resume`;
    case 'failed':
      return 'the session failed; the next message clears it';
    case 'gone':
      return 'it was deleted';
    case 'idle':
    case 'permission':
      return '';
  }
}
