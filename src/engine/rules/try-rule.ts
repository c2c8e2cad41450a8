import { setImmediate } from 'node:timers/promises';
import type { Adapter } from '../../agents/port/adapter.ts';
import type { FoundPastSession } from '../../archive/past-sessions-port.ts';
import { tryRule } from '../../domain/policy/history.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { EventOf } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { RuleBody, RuleTest } from '../../protocol/rule.ts';
import type { Subject } from '../../protocol/subject.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { checkedRule } from './check-rule.ts';
import { guardedFolders } from './guarded-folders.ts';
import { type CallOf, PastCalls } from './past-calls.ts';
import { realPath } from './real-path.ts';

/** The newest calls are checked, a few at a time, so that no agent has to wait for it. */
const CALLS_MAX = 20_000;
const SPAN = 500;
const JUDGED_AT_ONCE = 50;
const EXAMPLES_MAX = 20;

const TYPES = ['tool.started', 'permission.requested', 'permission.resolved'] as const;

/** Tries rules one after the other: a form that asks at every keystroke must not scan the history many times at once. */
export function openRuleTests(context: EngineContext): (body: RuleBody) => Promise<RuleTest | Refusal> {
  let last: Promise<unknown> = Promise.resolve();
  return (body) => {
    const test = last.then(() => tryAgainstHistory(context, body));
    last = test.catch(() => undefined);
    return test;
  };
}

/** What a rule would have done to the tool calls of all sessions. */
async function tryAgainstHistory(context: EngineContext, body: RuleBody): Promise<RuleTest | Refusal> {
  const rule = checkedRule(context, body);
  if (isRefusal(rule)) return rule;
  const past = await collectPastCalls(context);
  if (context.closing) return { refused: 'shutting-down', message: 'Signalbox is shutting down. Try again in a moment.' };
  const calls = past.all();
  const guarded = guardedFolders(context.deps);
  let test: RuleTest = { calls: 0, matched: 0, asked: 0, matchedAsked: 0, examples: [], notUnderstood: 0 };
  for (let from = 0; from < calls.length; from += JUDGED_AT_ONCE) {
    test = added(test, tryRule(rule, calls.slice(from, from + JUDGED_AT_ONCE), realPath, guarded));
    await setImmediate();
  }
  return { ...test, ...(past.isCut && { cut: true }) };
}

/** Our own sessions first, then those of other programs. */
async function collectPastCalls(context: EngineContext): Promise<PastCalls> {
  const { journal } = context.deps;
  const archived = new Map(context.deps.past?.newest().map((session) => [session.id, session]));
  const past = new PastCalls(callInContext(context, archived), CALLS_MAX);
  for (let before = journal.position() + 1; before > 1 && !past.isCut && !context.closing; before -= SPAN) {
    for (const { session, event } of journal.back(before, SPAN, TYPES)) past.take(session, event);
    await setImmediate();
  }
  const deadline = performance.now() + ARCHIVE_MS_MAX;
  for (const { id, lastSeq } of archived.values()) {
    if (past.isCut || context.closing) break;
    await collectArchived(context, past, id, lastSeq, deadline);
  }
  return past;
}

/** A form waits for this, so reading stops in time; what was not read is said to be left out. */
const ARCHIVE_MS_MAX = 3000;

/** The journal has what an adopted session did since; the record has what it did before. */
async function collectArchived({ sessions, deps }: EngineContext, past: PastCalls, id: SessionId, lastSeq: number, deadline: number): Promise<void> {
  const state = sessions.get(id)?.state;
  let before = (state === undefined || state.deleted ? lastSeq : state.base) + 1;
  while (before > 1 && !past.isCut) {
    if (performance.now() > deadline) past.isCut = true;
    const events = (await deps.past?.events(id, { before, limit: SPAN })) ?? [];
    for (const event of events.toReversed()) past.take(id, event);
    before = events[0]?.seq ?? 1;
  }
}

const callInContext =
  ({ sessions, deps }: EngineContext, archived: ReadonlyMap<SessionId, FoundPastSession>): CallOf =>
  (sessionId, event) => {
    const state = sessions.get(sessionId)?.state;
    if (state?.deleted) return undefined;
    const { agent, cwd } = state?.born ?? archived.get(sessionId) ?? {};
    if (agent === undefined || cwd === undefined) return undefined;
    return { agent, sessionId, cwd, tool: event.name, subject: subjectOf(deps.adapters.get(agent), event) };
  };

/** The event of a very long call has only its start, so what the full command does is unknown. */
function subjectOf(adapter: Adapter | undefined, { name, input, blobs }: EventOf<'tool.started'>): Subject {
  const subject = adapter?.subjectOf(name, input) ?? { kind: 'other' };
  return subject.kind === 'command' && blobs !== undefined ? { kind: 'other' } : subject;
}

function added(sum: RuleTest, more: RuleTest): RuleTest {
  return {
    calls: sum.calls + more.calls,
    matched: sum.matched + more.matched,
    asked: sum.asked + more.asked,
    matchedAsked: sum.matchedAsked + more.matchedAsked,
    examples: [...sum.examples, ...more.examples].sort((a, b) => Number(b.isRisky) - Number(a.isRisky)).slice(0, EXAMPLES_MAX),
    notUnderstood: sum.notUnderstood + more.notUnderstood,
  };
}
