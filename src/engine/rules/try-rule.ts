import { setImmediate } from 'node:timers/promises';
import type { Adapter } from '../../agents/port/adapter.ts';
import { tryRule } from '../../domain/policy/history.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { EventOf } from '../../protocol/event.ts';
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

async function collectPastCalls(context: EngineContext): Promise<PastCalls> {
  const { journal } = context.deps;
  const past = new PastCalls(callInContext(context), CALLS_MAX);
  for (let before = journal.position() + 1; before > 1 && !past.isCut && !context.closing; before -= SPAN) {
    for (const { session, event } of journal.back(before, SPAN, TYPES)) past.take(session, event);
    await setImmediate();
  }
  return past;
}

const callInContext =
  ({ sessions, deps }: EngineContext): CallOf =>
  (sessionId, event) => {
    const state = sessions.get(sessionId)?.state;
    if (state === undefined || state.born === null || state.deleted) return undefined;
    const { agent, cwd } = state.born;
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
