import { auditOfStream } from '../../domain/audit/audit.ts';
import { storeLong } from '../../domain/long-content.ts';
import { decidePlan, type PlanDecisionContext } from '../../domain/plan/decide.ts';
import { evolvePlan, newPlan } from '../../domain/plan/evolve.ts';
import type { StoredReceipt } from '../../journal/journal.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { PlanState } from '../../protocol/api/plan.ts';
import { isRefusal, type Receipt, type Refusal } from '../../protocol/command.ts';
import type { EventBody } from '../../protocol/event.ts';
import { type PlanCommand, type PlanId, planStream } from '../../protocol/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { blobsOf } from '../loop/store-blobs.ts';

/** Raised when a stored snapshot can no longer be read. */
const PLAN_VERSION = 1;
const SNAPSHOT_EVERY = 100;
const PAGE = 1000;

/** One plan: its state, and the only way to change it. Decisions are made one after the other, each in one transaction. */
export class PlanActor {
  state: PlanState;
  private snapshotSeq: number;

  constructor(
    private readonly context: EngineContext,
    readonly id: PlanId,
    private readonly onChange: (plan: PlanActor) => void,
  ) {
    const snapshot = context.deps.journal.snapshot(this.stream);
    this.state = folded(context, this, snapshot?.version === PLAN_VERSION ? (snapshot.state as PlanState) : newPlan(id));
    this.snapshotSeq = snapshot?.seq ?? 0;
  }

  get stream() {
    return planStream(this.id);
  }

  /** How the plan acts on sessions: in its creator's name, and recognizably as a plan. */
  get actor(): Actor {
    return { kind: 'plan', id: this.id, name: this.state.head.title };
  }

  /** Events and a receipt in one transaction, or a refusal. */
  command(command: PlanCommand, now: PlanDecisionContext, content: string): Receipt | Refusal {
    const decided = decidePlan(this.state, command, now);
    if (isRefusal(decided)) return decided;
    const receipt = { commandId: command.commandId, sessionId: this.stream, seq: this.state.seq + (decided.length > 0 ? 1 : 0) };
    this.append(decided, { ...receipt, content });
    return receipt;
  }

  append(bodies: readonly EventBody[], receipt?: StoredReceipt): void {
    const { deps, subscribers, counters } = this.context;
    const at = deps.now().toISOString();
    const events = bodies.map((event) => storeLong(blobsOf(deps.journal), event));
    const next = { session: this.stream, after: this.state.seq, at, events, audit: auditOfStream(this.stream, this.state.seq, events, at) };
    const stored = deps.journal.append({ ...next, ...(receipt !== undefined && { receipt }) });
    this.state = stored.reduce(evolvePlan, this.state);
    counters.eventsAppended += stored.length;
    if (this.state.seq - this.snapshotSeq >= SNAPSHOT_EVERY || (stored.length > 0 && this.state.endedAt !== undefined)) this.storeSnapshot(at);
    if (stored.length > 0) subscribers.publish(this.stream, { kind: 'events', sessionId: this.stream, events: stored });
    this.onChange(this);
  }

  private storeSnapshot(at: string): void {
    const { state } = this;
    this.context.deps.journal.append({ session: this.stream, after: state.seq, at, events: [], snapshot: { seq: state.seq, version: PLAN_VERSION, state } });
    this.snapshotSeq = state.seq;
  }
}

function folded({ deps }: EngineContext, { stream }: Pick<PlanActor, 'stream'>, from: PlanState): PlanState {
  let state = from;
  for (;;) {
    const events = deps.journal.after(stream, state.seq, PAGE);
    state = events.reduce(evolvePlan, state);
    if (events.length < PAGE) return state;
  }
}
