import type { Adapter } from '../agents/adapter.ts';
import type { Circumstances, Drafted } from '../domain/session/draft.ts';
import { fold } from '../domain/session/evolve.ts';
import { decideExit } from '../domain/session/exit.ts';
import { type SessionState, unborn } from '../domain/session/state.ts';
import type { RawLine, RawRun } from '../journal/raw-runs.ts';
import type { Refold, RefoldContext, Refolded } from '../journal/rebuild.ts';
import { type Event, HUMAN_EVENTS } from '../protocol/event.ts';
import type { AgentId, RunId } from '../protocol/ids.ts';
import { hear } from './hear.ts';
import { freshRow, RunBox } from './run-box.ts';

/** Makes of a run's raw output the events it had been made into, with the same adapters and the same rules as when it was live. */
export function refoldWith(adapters: ReadonlyMap<AgentId, Adapter>): Refold {
  return async (raw, lines, context) => {
    const created = context.people.find((event) => event.type === 'session.created');
    const adapter = created === undefined ? undefined : adapters.get(created.agent);
    if (adapter === undefined) throw new Error(`This version does not know the agent ${created?.agent}`);
    const box = new RunBox(adapter, freshRow({ sessionId: raw.session, run: raw.run }, adapter));
    return refoldRun(raw, lines, context, box);
  };
}

async function refoldRun(raw: RawRun, lines: AsyncIterable<RawLine>, context: RefoldContext, box: RunBox): Promise<Refolded> {
  const { adapter } = box;
  const blobs = { putBlob: context.putBlob, blob: () => undefined };
  const events: Drafted[] = [];
  let state = stateFor(raw, context.people);
  for await (const { line, byte } of lines) {
    const endByte = byte + Buffer.byteLength(line) + 1;
    const { decision } = hear(box, state, { lines: [line], startBytes: [byte], endByte }, () => circumstances(adapter), blobs);
    if (decision === undefined) continue;
    events.push(...decision.events);
    state = answered(decision.state, context.people);
  }
  if (raw.hasExited) events.push(...decideExit(state, { run: raw.run, code: null, signal: null, memory: 'unknown' }, circumstances(adapter)).events);
  const { outByte, adapterVersion, foldState } = box.rowNow(0);
  return { outByte, adapterVersion, foldState, open: !raw.hasExited, events: events.filter((event) => !HUMAN_EVENTS.has(event.type)) };
}

/** The session as it stood when the run was opened, with every message that this run was given on its way. */
function stateFor(raw: RawRun, people: readonly Event[]): SessionState {
  const opened = people.findIndex((event) => event.type === 'run.opened' && event.run === raw.run);
  const before = fold(unborn(raw.session), people.slice(0, opened + 1));
  const given = people.flatMap((event) => (event.type === 'input.delivered' && event.run === raw.run ? [event.commandId] : []));
  const all = fold(
    unborn(raw.session),
    people.filter((event) => event.type === 'session.created' || event.type === 'input.accepted'),
  );
  const queue = all.queue.filter((input) => given.includes(input.commandId)).map((input) => ({ ...input, stage: { at: 'delivered', run: raw.run } as const }));
  return { ...before, queue, run: { phase: 'opened', run: raw.run } };
}

/** Requests that people (or the end of a turn) closed are closed: the mirror has how. */
function answered(state: SessionState, people: readonly Event[]): SessionState {
  if (state.permissions.length === 0) return state;
  const closed = new Set(people.flatMap((event) => (event.type === 'permission.resolved' ? [event.requestId] : [])));
  return { ...state, permissions: state.permissions.filter((open) => !closed.has(open.requestId)) };
}

function circumstances(adapter: Adapter): Circumstances {
  return {
    at: '',
    late: true,
    freshRun: 'none' as RunId,
    freshAgentSessionId: '',
    placeFree: false,
    diskFree: true,
    inputId: (commandId) => adapter.inputId(commandId),
    can: adapter.capabilities,
    mayBypass: false,
    // What rules decided then is in the mirror; today's have no say about it.
    judge: () => undefined,
    subjectOf: (tool, input) => adapter.subjectOf(tool, input),
  };
}
