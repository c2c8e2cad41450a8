import { setImmediate } from 'node:timers/promises';
import type { Adapter } from '../agents/adapter.ts';
import { type PastCall, tryRule } from '../domain/policy/history.ts';
import { isRefusal, type Refusal } from '../protocol/command.ts';
import type { Event, EventOf } from '../protocol/event.ts';
import type { RequestId, SessionId } from '../protocol/ids.ts';
import type { RuleBody, RuleTest } from '../protocol/rule.ts';
import type { Subject } from '../protocol/subject.ts';
import { checkedRule } from './rules-check.ts';
import { realPath } from './rules-real-path.ts';
import type { World } from './world.ts';

/** The newest calls are looked at, a few at a time, so that no agent waits for a person's curiosity. */
const CALLS_MAX = 20_000;
const SPAN = 500;
const JUDGED_AT_ONCE = 50;
const EXAMPLES_MAX = 20;

const TYPES = ['tool.started', 'permission.requested', 'permission.resolved'] as const;

/** What a rule would have done to the tool calls of all sessions. */
export async function tryAgainstHistory(world: World, body: RuleBody): Promise<RuleTest | Refusal> {
  const rule = checkedRule(world, body);
  if (isRefusal(rule)) return rule;
  const { calls, cut } = await pastCalls(world);
  let test: RuleTest = { calls: 0, matched: 0, asked: 0, matchedAsked: 0, examples: [], notUnderstood: 0 };
  for (let from = 0; from < calls.length; from += JUDGED_AT_ONCE) {
    test = added(test, tryRule(rule, calls.slice(from, from + JUDGED_AT_ONCE), realPath));
    await setImmediate();
  }
  return { ...test, ...(cut && { cut }) };
}

async function pastCalls(world: World): Promise<{ readonly calls: readonly PastCall[]; readonly cut: boolean }> {
  const history = new History(world);
  const { journal } = world.deps;
  for (let before = journal.position() + 1; before > 1 && !history.isCut; before -= SPAN) {
    for (const { session, event } of journal.back(before, SPAN, TYPES)) history.take(session, event);
    await setImmediate();
  }
  return { calls: history.calls(), cut: history.isCut };
}

type Started = Omit<PastCall, 'asked' | 'outcome'> & { readonly toolUseId: string };

/** Calls, what was asked about them and what became of that, put together whatever came first. */
class History {
  readonly #started: Started[] = [];
  readonly #asked = new Map<string, RequestId>();
  readonly #outcomes = new Map<RequestId, string>();

  /** True once there was a call that found no room. */
  isCut = false;

  constructor(private readonly world: World) {}

  take(session: SessionId, event: Event): void {
    if (event.inherited) return;
    if (event.type === 'permission.resolved') this.#outcomes.set(event.requestId, event.outcome);
    if (event.type === 'permission.requested' && event.toolUseId !== undefined) this.#asked.set(`${session} ${event.toolUseId}`, event.requestId);
    if (event.type === 'tool.started') this.#start(session, event);
  }

  #start(sessionId: SessionId, event: EventOf<'tool.started'>): void {
    const state = this.world.boxes.get(sessionId)?.state;
    if (state === undefined || state.born === null || state.deleted) return;
    if (this.#started.length >= CALLS_MAX) {
      this.isCut = true;
      return;
    }
    const { agent, cwd } = state.born;
    const { seq, at, name: tool, toolUseId } = event;
    this.#started.push({ agent, sessionId, cwd, tool, subject: subjectOf(this.world.deps.adapters.get(agent), event), seq, at, toolUseId });
  }

  calls(): readonly PastCall[] {
    return this.#started.map(({ toolUseId, ...call }) => {
      const requestId = this.#asked.get(`${call.sessionId} ${toolUseId}`);
      const outcome = requestId === undefined ? undefined : (this.#outcomes.get(requestId) ?? 'waiting');
      return { ...call, asked: requestId !== undefined, ...(outcome !== undefined && { outcome }) };
    });
  }
}

/** Of a call too long for an event only the head is there; what the whole was about cannot be told from that. */
function subjectOf(adapter: Adapter | undefined, { name, input, blobs }: EventOf<'tool.started'>): Subject {
  const subject = adapter?.subjectOf(name, input) ?? { kind: 'other' };
  return subject.kind === 'command' && blobs !== undefined ? { kind: 'other' } : subject;
}

function added(sum: RuleTest, more: RuleTest): RuleTest {
  const examples = [...sum.examples, ...more.examples].sort((a, b) => Number(b.isRisky) - Number(a.isRisky)).slice(0, EXAMPLES_MAX);
  return {
    calls: sum.calls + more.calls,
    matched: sum.matched + more.matched,
    asked: sum.asked + more.asked,
    matchedAsked: sum.matchedAsked + more.matchedAsked,
    examples,
    notUnderstood: sum.notUnderstood + more.notUnderstood,
  };
}
