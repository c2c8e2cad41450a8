import { checkpointAt, EMPTY_LOG, foldLog } from '../../domain/checkpoint/log.ts';
import { evolve } from '../../domain/session/evolve.ts';
import { newSessionState, type SessionState } from '../../domain/session/state.ts';
import { statusOf } from '../../domain/session/status.ts';
import type { SessionAt } from '../../protocol/api/moment.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { Event, EventType } from '../../protocol/event.ts';
import type { Session } from '../../protocol/session.ts';
import type { Services } from '../http/route.ts';
import { changesOf } from '../inspector/changes-reader.ts';
import { FoldReader, type InspectorSources } from '../inspector/fold-reader.ts';

export interface MomentReader {
  /** The session right after one of its events. */
  at(from: Services, session: Session, seq: number): Promise<SessionAt | Refusal>;
}

export function createMomentReader(): MomentReader {
  const reader = new FoldReader<Past>({ make: (session) => new Past(session) });
  return {
    at: async (from, session, seq) => {
      const base = session.past?.lastSeq ?? 0;
      if (from.engine.session(session.id) === undefined || seq <= base) return NOT_OURS;
      if (seq > session.lastSeq) return { refused: 'not-found', message: `Session ${session.id} has ${session.lastSeq} events, so there is no event ${seq}.` };
      const past = await reader.read(from, session, (fold) => fold.before(seq));
      const rest = from.engine.events(session.id, { after: past.state.seq === 0 ? base : past.state.seq, limit: EVERY }).filter((event) => event.seq <= seq);
      const state = rest.reduce(evolve, past.state);
      return answer(from, session, state, rest.at(-1)?.at ?? past.at, past.kept);
    },
  };
}

const NOT_OURS: Refusal = {
  refused: 'not-supported',
  message: 'This part of the session ran in another program. Its record doesn’t say what the status, the queue and the requests were.',
};

/** A state is kept after this many events; the ones between are folded again. */
const EVERY = 500;

/** What changes and checkpoints are folded from. */
const KEPT_TYPES: ReadonlySet<EventType> = new Set<EventType>([
  'turn.started',
  'tool.started',
  'tool.completed',
  'rewind.requested',
  'files.rewound',
  'checkpoint.made',
  'checkpoint.removed',
  'checkpoint.skipped',
  'checkpoint.enabled',
  'revert.done',
]);

const isKept = (event: Event): boolean => {
  if (event.type === 'tool.started') return event.intends !== undefined;
  return KEPT_TYPES.has(event.type);
};

interface Before {
  readonly state: SessionState;
  readonly at: string;
  /** Events up to the one that was asked for. */
  readonly kept: readonly Event[];
}

/** States of a session along its events. They share what did not change, so keeping many costs little. */
class Past {
  seq: number;
  #now: SessionState;
  readonly #states: { readonly state: SessionState; readonly at: string }[] = [];
  readonly #kept: Event[] = [];

  constructor(session: Session) {
    this.#now = newSessionState(session.id);
    // What its record holds happened in another program.
    this.seq = session.past?.lastSeq ?? 0;
  }

  add(event: Event): void {
    this.seq = event.seq;
    this.#now = evolve(this.#now, event);
    if (isKept(event)) this.#kept.push(withoutOutput(event));
    const last = this.#states.at(-1)?.state.seq ?? 0;
    if (event.seq - last >= EVERY) this.#states.push({ state: this.#now, at: event.at });
  }

  before(seq: number): Before {
    const found = this.#states.findLast(({ state }) => state.seq <= seq);
    const first = { state: newSessionState(this.#now.id), at: '' };
    return { ...(found ?? first), kept: this.#kept.filter((event) => event.seq <= seq) };
  }
}

/** Outputs can be long, and no fold here reads them. */
const withoutOutput = (event: Event): Event => (event.type === 'tool.completed' ? { ...event, output: '' } : event);

async function answer(from: InspectorSources, session: Session, state: SessionState, at: string, kept: readonly Event[]): Promise<SessionAt> {
  const { changes, edits, additions, deletions } = await changesOf(from, session, kept);
  const checkpoint = checkpointAt(foldLog(EMPTY_LOG, kept), state.seq);
  return {
    seq: state.seq,
    at,
    status: statusOf(state),
    statusCause: { seq: state.status.seq, cause: state.status.cause },
    ...(state.model !== null && { model: state.model }),
    ...(state.permissionMode !== null && { permissionMode: state.permissionMode }),
    ...(state.contextTokens !== null && state.contextWindow !== null && { context: { tokens: state.contextTokens, window: state.contextWindow } }),
    ...(state.costUsd !== null && { costUsd: state.costUsd }),
    requests: state.permissions.map(({ requestId, seq, asked: { tool, kind, title } }) => ({
      requestId,
      seq,
      tool,
      kind,
      ...(title !== undefined && { title }),
    })),
    queue: state.queue.map(({ commandId, text, stage }) => ({ commandId, text, state: stage.at })),
    ...(state.paused !== undefined && { queuePaused: true }),
    changes: { files: changes.length, edits, additions, deletions },
    ...(checkpoint !== undefined && { checkpoint: { checkpointId: checkpoint.id, seq: checkpoint.seq, at: checkpoint.at } }),
  };
}
