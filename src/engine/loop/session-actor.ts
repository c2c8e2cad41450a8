import type { Adapter } from '../../agents/port/adapter.ts';
import { judgeWaiting } from '../../domain/permission/answer.ts';
import { advance } from '../../domain/session/advance.ts';
import { decideCommand, type PreparedCommand } from '../../domain/session/commands.ts';
import { type Decision, type DecisionContext, Draft } from '../../domain/session/draft.ts';
import { decideExit, type Exit } from '../../domain/session/exit.ts';
import type { SessionState } from '../../domain/session/state.ts';
import type { LineBatch } from '../../host/host.ts';
import { RETRY_MS } from '../../problems/problems.ts';
import type { Actor } from '../../protocol/actor.ts';
import { isRefusal, type Receipt, type Refusal } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import { type AgentId, isScriptSession, type RunId } from '../../protocol/ids.ts';
import type { Session, SessionPort } from '../../protocol/session.ts';
import { takeCheckpoints } from '../checkpoints/take-checkpoint.ts';
import { announceAdopted } from '../continue/announce-adopted.ts';
import { resumesAt } from '../continue/at-reset.ts';
import { mergeRecord, type RecordProgress } from '../continue/merge-record.ts';
import { reportToParent } from '../scripts/start-script.ts';
import { hasFreeSlot } from '../slots/live-slots.ts';
import { LeaseWatch } from '../terminal/watch-lease.ts';
import { areToolsOn, askIdOf } from './agent-tools.ts';
import { capabilitiesOf } from './capabilities.ts';
import { type Commit, commit } from './commit.ts';
import { Deadlines } from './deadlines.ts';
import { EffectQueue } from './effect-queue.ts';
import { performEffect, SEND_MESSAGES, sendPending } from './effects.ts';
import type { EngineContext } from './engine-context.ts';
import { type Ingested, ingest } from './ingest.ts';
import type { RunReader } from './run-reader.ts';
import { sessionSummary } from './session-summary.ts';

const MERGE_AGAIN_MS = 3_000;

/** One session in this process: its state and its run. Every change of the session goes through this class. */
export class SessionActor {
  run: RunReader | undefined;
  /** What its processes listen on, while somebody watches it. */
  ports: readonly SessionPort[] = [];
  /** The seq of the last stored snapshot. */
  snapshotSeq: number;
  private readonly effects: EffectQueue;
  private readonly deadlines: Deadlines;
  private readonly lease: LeaseWatch;
  private summaryIsDue = false;
  private readonly recordProgress = new Map<string, RecordProgress>();
  private readonly mergesQueued = new Set<string>();
  private readonly mergesFailed = new Set<string>();

  constructor(
    readonly context: EngineContext,
    public state: SessionState,
    snapshotSeq = state.seq,
    /** Agent of a past session that is about to be adopted. */
    private readonly expected?: AgentId,
  ) {
    this.snapshotSeq = snapshotSeq;
    const { graces } = context.deps.settings;
    this.deadlines = new Deadlines(
      graces,
      () => context.deps.now().getTime(),
      (decide) => this.decideInTime(decide),
      context.deps.problems,
    );
    this.lease = new LeaseWatch(this);
    this.effects = new EffectQueue((error) => context.deps.log.error({ error, session: state.id }, 'an effect failed'));
  }

  get adapter(): Adapter {
    return this.adapterOf(this.state);
  }

  adapterOf(state: SessionState): Adapter {
    const adapter = this.knownAdapterOf(state);
    if (adapter === undefined)
      throw new Error(`Session ${this.state.id} needs the agent ${state.born?.agent ?? this.expected}, which this version does not know`);
    return adapter;
  }

  /** Undefined when this version can only read the agent's sessions: such a session has marks but no process. */
  knownAdapterOf(state: SessionState = this.state): Adapter | undefined {
    const agent = state.born?.agent ?? this.expected;
    return agent === undefined ? undefined : this.context.deps.adapters.get(agent);
  }

  /** A command from a person or a program: events and a receipt in one transaction, or a refusal. */
  command(asked: PreparedCommand, actor: Actor, content: string): Receipt | Refusal {
    const decision = decideCommand(this.state, asked, this.decisionContext({ actor }));
    if (isRefusal(decision)) return decision;
    const { commandId } = asked.command;
    const firstSeq = this.state.seq + (decision.events.length > 0 ? 1 : 0);
    const queued = decision.state.queue.some((input) => input.commandId === commandId && input.stage.at === 'accepted');
    const receipt = { commandId, sessionId: this.state.id, seq: firstSeq, queued };
    this.apply(decision, { receipt: { ...receipt, content } });
    return receipt;
  }

  /** Why a command would be refused now; nothing is changed. */
  refusalOf(asked: PreparedCommand, actor: Actor): Refusal | undefined {
    const decision = decideCommand(this.state, asked, this.decisionContext({ actor }));
    return isRefusal(decision) ? decision : undefined;
  }

  /** Complete lines of the agent, stored in one transaction. */
  ingest(batch: LineBatch, late: boolean): void {
    if (this.run === undefined || this.state.deleted) return;
    const ingested = ingest(this.run, this.state, batch, () => this.decisionContext({ late }), this.context.deps.journal);
    this.context.counters.linesRead += batch.lines.length;
    if (ingested.decision !== undefined) this.apply(ingested.decision, { ingested: true, replies: ingested.replies });
    for (const reply of ingested.answered) this.deadlines.noteReply(reply, this.state);
    this.publishPartialText(ingested);
  }

  /** Something else that happened to the run: output lost, a notice. */
  note(write: (draft: Draft) => void, also: Commit = {}): void {
    const draft = new Draft(this.state, this.decisionContext({}));
    write(draft);
    draft.settle();
    this.apply(draft.done(), also);
  }

  /** The same, if there is something to note. */
  noteIfAny(write: (draft: Draft) => void): void {
    const draft = new Draft(this.state, this.decisionContext({}));
    write(draft);
    draft.settle();
    if (draft.events.length > 0) this.apply(draft.done(), {});
  }

  exit(exit: Exit): void {
    const ended = this.run;
    const decision = decideExit(this.state, exit, this.decisionContext({}));
    this.apply(decision, { ...(ended !== undefined && { closed: ended }) });
    ended?.close();
    if (this.state.agentSessionId !== null) this.mergeSoon(this.state.agentSessionId);
    if (ended !== undefined) this.publishDropped(ended.partial.clear());
    this.context.slotsChanged();
  }

  /** Continues after an outside change: a slot is free, the disk has space again. */
  advance(why: string): void {
    this.noteIfAny((draft) => advance(draft, why));
  }

  /** Applies the active rules to the pending requests. */
  answerByRules(): void {
    const isHeard = this.run?.isCaughtUp === true || (this.state.terminal?.asks.length ?? 0) > 0;
    if (!isHeard || this.state.permissions.length === 0) return;
    this.noteIfAny(judgeWaiting);
  }

  /** Sets the timers that the state needs, also after a restart. */
  watchTime(): void {
    this.deadlines.follow(this.state);
    this.lease.follow();
  }

  stopWatchingTime(): void {
    this.deadlines.close();
    this.lease.close();
  }

  summary(): Session | undefined {
    return sessionSummary(this);
  }

  /** Merges what another program did in this conversation, unless our own process writes it; its exit triggers this again. */
  mergeSoon(agentSessionId: string): void {
    if (this.context.deps.past === undefined || this.mergesQueued.has(agentSessionId)) return;
    this.mergesQueued.add(agentSessionId);
    this.work(async () => {
      this.mergesQueued.delete(agentSessionId);
      try {
        await mergeRecord(this, agentSessionId, () => this.state.run.phase === 'none');
      } catch (error) {
        this.mergeAgain(agentSessionId);
        throw error;
      }
    });
  }

  /** The disk was full or a thread crashed. A record that no longer grows would never trigger another merge. */
  private mergeAgain(agentSessionId: string): void {
    if (this.mergesFailed.has(agentSessionId)) return;
    this.mergesFailed.add(agentSessionId);
    const again = (): void => {
      this.mergesFailed.delete(agentSessionId);
      this.mergeSoon(agentSessionId);
    };
    this.context.deps.problems.after('read what other programs did', MERGE_AGAIN_MS, again).unref();
  }

  recordProgressOf(agentSessionId: string): RecordProgress {
    const progress = this.recordProgress.get(agentSessionId) ?? {
      position: this.state.merged,
      tip: undefined,
      lastAt: undefined,
      isSwitching: false,
      isOtherBranch: false,
    };
    this.recordProgress.set(agentSessionId, progress);
    return progress;
  }

  work(job: () => Promise<void>): void {
    this.effects.add(job);
  }

  /** Work that must succeed eventually: outside failures (a missing folder, no descriptors left) are retried. */
  retryUntilDone(what: string, job: () => Promise<void>): void {
    const { problems } = this.context.deps;
    const { id } = this.state;
    this.work(async () => {
      try {
        await job();
        problems.worked(what, id);
      } catch (error) {
        if (this.context.closing) throw error;
        problems.failed(what, error, id);
        problems.after(what, RETRY_MS, () => this.again(what, job)).unref();
      }
    });
  }

  private again(what: string, job: () => Promise<void>): void {
    if (!this.context.closing && this.context.sessions.get(this.state.id) === this) this.retryUntilDone(what, job);
    else this.context.deps.problems.worked(what, this.state.id);
  }

  get isQuiet(): boolean {
    return this.effects.isQuiet && !this.summaryIsDue;
  }

  drain(): Promise<void> {
    return this.effects.drain();
  }

  private decisionContext(given: Pick<DecisionContext, 'actor' | 'src' | 'late'>): DecisionContext {
    const { deps } = this.context;
    const session = this;
    return {
      ...given,
      at: deps.now().toISOString(),
      freshRun: `r${deps.newId()}` as RunId,
      freshAgentSessionId: deps.newId(),
      hasDiskSpace: !this.context.diskLow,
      inputId: (commandId) => this.adapter.inputId(commandId),
      inputAfterReady: (agent) => deps.adapters.get(agent)?.inputAfterReady ?? false,
      // Looks at all sessions, and few decisions need it.
      get hasFreeSlot() {
        return !session.context.closing && hasFreeSlot(session.context, session);
      },
      // Read only after the session was created: before that it has no agent.
      get can() {
        return capabilitiesOf(session);
      },
      mayBypass: deps.settings.allowBypass,
      // A request from before a restart may be over already: rules apply once all output is read.
      judge: given.late ? () => undefined : this.context.workspace.judge,
      subjectOf: (tool, input) => this.adapter.subjectOf(tool, input),
      resumesAt: (resetsAt) => resumesAt(this, resetsAt),
      areToolsOff: this.state.born !== null && !areToolsOn(deps, this.state),
      askId: askIdOf,
      isCalling: (askId) => this.context.toolCalls.has(askId),
      keepsFiles: this.context.checkpointWork.isAvailable,
      agentIsGone: this.run?.isGone ?? false,
    };
  }

  private apply(decision: Decision, also: Commit): void {
    const known = this.state.minds.length;
    const before = this.state.status;
    const wasRunning = this.state.turn.phase === 'running';
    const stored = commit(this, decision, also);
    if (this.state.minds.length !== known) announceAdopted(this, known);
    if (this.state.status !== before) this.context.slotsChanged();
    this.watchTime();
    if (stored.length > 0) this.publishEvents(stored);
    for (const effect of decision.effects) performEffect(this, effect);
    if (isScriptSession(this.state.id)) reportToParent(this);
    else takeCheckpoints(this, stored, wasRunning);
    const { run } = this;
    if ((also.replies ?? []).length > 0 && run !== undefined) this.retryUntilDone(SEND_MESSAGES, () => sendPending(this, run));
  }

  private decideInTime(decide: (draft: Draft) => void): void {
    if (this.context.closing) return;
    const isDone = this.context.deps.problems.during('keep what happens in sessions', () => this.note(decide), this.state.id);
    if (!isDone) this.deadlines.later(() => this.decideInTime(decide));
  }

  private publishEvents(events: readonly Event[]): void {
    this.context.counters.eventsAppended += events.length;
    this.context.subscribers.publish(this.state.id, { kind: 'events', sessionId: this.state.id, events });
    this.publishSummary();
  }

  /** Lists get at most one update per session and event loop turn. */
  publishSummary(): void {
    if (this.summaryIsDue) return;
    this.summaryIsDue = true;
    this.context.deps.problems.soon('update the lists', () => {
      this.summaryIsDue = false;
      const summary = this.state.deleted ? undefined : this.summary();
      const { deps, subscribers } = this.context;
      if (summary === undefined) return;
      deps.onSummary(summary, deps.journal.position());
      subscribers.publishToAll({ kind: 'session', sessionId: summary.id, session: summary });
    });
  }

  private publishPartialText(ingested: Ingested): void {
    this.publishDropped(ingested.dropped);
    const deltas = this.run?.partial.takeNew() ?? [];
    if (deltas.length > 0) this.context.subscribers.publish(this.state.id, { kind: 'deltas', sessionId: this.state.id, deltas });
  }

  private publishDropped(itemIds: readonly string[]): void {
    for (const itemId of itemIds) this.context.subscribers.publish(this.state.id, { kind: 'dropped', sessionId: this.state.id, itemId });
  }
}
