import type { Adapter } from '../../agents/adapter.ts';
import { judgeWaiting } from '../../domain/permission/answer.ts';
import { type Asked, decideCommand } from '../../domain/session/commands.ts';
import { type Circumstances, type Decision, Draft } from '../../domain/session/draft.ts';
import { drive } from '../../domain/session/drive.ts';
import { decideExit, type Exit } from '../../domain/session/exit.ts';
import type { SessionState } from '../../domain/session/state.ts';
import type { LineBatch } from '../../host/host.ts';
import { AGAIN_MS } from '../../problems/problems.ts';
import type { Actor } from '../../protocol/actor.ts';
import { isRefusal, type Receipt, type Refusal } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { capabilitiesOf } from '../capabilities.ts';
import { tellTakenUp } from '../continue/announce-adopted.ts';
import { type Following, mergeRecord } from '../continue/merge-record.ts';
import { placeFree, type World } from '../engine-context.ts';
import { type Commit, commit } from './commit.ts';
import { Deadlines } from './deadlines.ts';
import { Chain } from './effect-queue.ts';
import { GIVE, performEffect, pump } from './effects.ts';
import { type Hearing, hear } from './ingest.ts';
import type { RunBox } from './run-reader.ts';
import { sessionSummary } from './summary.ts';

const MERGE_AGAIN_MS = 3_000;

/** One session in this process: its state, its run, and the only door through which anything happens to it. */
export class SessionBox {
  run: RunBox | undefined;
  /** The seq of the last stored snapshot. */
  snapshotSeq: number;
  private readonly chain: Chain;
  private readonly deadlines: Deadlines;
  private summaryIsDue = false;
  private readonly followed = new Map<string, Following>();
  private readonly toMerge = new Set<string>();
  private readonly mergesFailed = new Set<string>();

  constructor(
    readonly world: World,
    public state: SessionState,
    snapshotSeq = state.seq,
    /** Of a past session that is about to be taken up. */
    private readonly expected?: AgentId,
  ) {
    this.snapshotSeq = snapshotSeq;
    const { graces } = world.deps.settings;
    this.deadlines = new Deadlines(
      graces,
      () => world.deps.now().getTime(),
      (decide) => this.decideInTime(decide),
      world.deps.problems,
    );
    this.chain = new Chain((error) => world.deps.log.error({ error, session: state.id }, 'an effect failed'));
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

  /** None of a session whose agent this version only reads: it has notes, and no process. */
  knownAdapterOf(state: SessionState = this.state): Adapter | undefined {
    const agent = state.born?.agent ?? this.expected;
    return agent === undefined ? undefined : this.world.deps.adapters.get(agent);
  }

  /** A command of a person (or a program): events and a receipt in one transaction, or a refusal. */
  command(asked: Asked, actor: Actor, content: string): Receipt | Refusal {
    const decision = decideCommand(this.state, asked, this.circumstances({ actor }));
    if (isRefusal(decision)) return decision;
    const { commandId } = asked.command;
    const firstSeq = this.state.seq + (decision.events.length > 0 ? 1 : 0);
    const queued = decision.state.queue.some((input) => input.commandId === commandId && input.stage.at === 'accepted');
    const receipt = { commandId, sessionId: this.state.id, seq: firstSeq, queued };
    this.apply(decision, { receipt: { ...receipt, content } });
    return receipt;
  }

  /** Why a command would be refused now; nothing is changed. */
  refusalOf(asked: Asked, actor: Actor): Refusal | undefined {
    const decision = decideCommand(this.state, asked, this.circumstances({ actor }));
    return isRefusal(decision) ? decision : undefined;
  }

  /** Whole lines of the agent. One transaction for all that they say. */
  hear(batch: LineBatch, late: boolean): void {
    if (this.run === undefined || this.state.deleted) return;
    const heard = hear(this.run, this.state, batch, () => this.circumstances({ late }), this.world.deps.journal);
    this.world.counters.linesRead += batch.lines.length;
    if (heard.decision !== undefined) this.apply(heard.decision, { heard: true, replies: heard.replies });
    for (const reply of heard.answered) this.deadlines.hear(reply, this.state);
    this.tellPartial(heard);
  }

  /** Something else that happened to the run: output lost, a notice. */
  note(write: (draft: Draft) => void, also: Commit = {}): void {
    const draft = new Draft(this.state, this.circumstances({}));
    write(draft);
    draft.settle();
    this.apply(draft.done(), also);
  }

  exit(exit: Exit): void {
    const ended = this.run;
    const decision = decideExit(this.state, exit, this.circumstances({}));
    this.apply(decision, { ...(ended !== undefined && { closed: ended }) });
    ended?.close();
    if (this.state.agentSessionId !== null) this.mergeSoon(this.state.agentSessionId);
    if (ended !== undefined) this.tellDropped(ended.partial.clear());
    this.world.placesChanged();
  }

  /** Goes on where something outside has changed: a place is free, the disk has room again. */
  poke(why: string): void {
    const draft = new Draft(this.state, this.circumstances({}));
    drive(draft, why);
    draft.settle();
    if (draft.events.length > 0) this.apply(draft.done(), {});
  }

  /** Lets the rules in force speak about the requests that wait. */
  judgeAgain(): void {
    if (this.run === undefined || !this.run.isCaughtUp || this.state.permissions.length === 0) return;
    const draft = new Draft(this.state, this.circumstances({}));
    judgeWaiting(draft);
    draft.settle();
    if (draft.events.length > 0) this.apply(draft.done(), {});
  }

  /** Sets the clocks that the state needs; also after a restart. */
  watchTime(): void {
    this.deadlines.follow(this.state);
  }

  stopWatchingTime(): void {
    this.deadlines.close();
  }

  summary(): Session | undefined {
    return sessionSummary(this);
  }

  /** Takes in what another program did in this conversation, unless a process of ours writes it: its end brings us here again. */
  mergeSoon(agentSessionId: string): void {
    if (this.world.deps.past === undefined || this.toMerge.has(agentSessionId)) return;
    this.toMerge.add(agentSessionId);
    this.work(async () => {
      this.toMerge.delete(agentSessionId);
      try {
        await mergeRecord(this, agentSessionId, () => this.state.run.phase === 'none');
      } catch (error) {
        this.mergeAgain(agentSessionId);
        throw error;
      }
    });
  }

  /** The disk was full, or a thread fell over: a record that does not grow any more would never bring us here again. */
  private mergeAgain(agentSessionId: string): void {
    if (this.mergesFailed.has(agentSessionId)) return;
    this.mergesFailed.add(agentSessionId);
    const again = (): void => {
      this.mergesFailed.delete(agentSessionId);
      this.mergeSoon(agentSessionId);
    };
    this.world.deps.problems.after('read what other programs did', MERGE_AGAIN_MS, again).unref();
  }

  followingOf(agentSessionId: string): Following {
    const following = this.followed.get(agentSessionId) ?? { place: this.state.merged, tip: undefined, lastAt: undefined, isTurning: false, isOtherWay: false };
    this.followed.set(agentSessionId, following);
    return following;
  }

  work(job: () => Promise<void>): void {
    this.chain.add(job);
  }

  /** Work that has to be done in the end: what fails because of something outside (a folder is missing, no descriptors are left) is tried again. */
  insist(what: string, job: () => Promise<void>): void {
    const { problems } = this.world.deps;
    const { id } = this.state;
    this.work(async () => {
      try {
        await job();
        problems.worked(what, id);
      } catch (error) {
        if (this.world.closing) throw error;
        problems.failed(what, error, id);
        problems.after(what, AGAIN_MS, () => this.again(what, job)).unref();
      }
    });
  }

  private again(what: string, job: () => Promise<void>): void {
    if (!this.world.closing && this.world.boxes.get(this.state.id) === this) this.insist(what, job);
    else this.world.deps.problems.worked(what, this.state.id);
  }

  get isQuiet(): boolean {
    return this.chain.isQuiet && !this.summaryIsDue;
  }

  drain(): Promise<void> {
    return this.chain.drain();
  }

  private circumstances(given: Pick<Circumstances, 'actor' | 'src' | 'late'>): Circumstances {
    const { deps } = this.world;
    const box = this;
    return {
      ...given,
      at: deps.now().toISOString(),
      freshRun: `r${deps.newId()}` as RunId,
      freshAgentSessionId: deps.newId(),
      placeFree: !this.world.closing && placeFree(this.world),
      diskFree: !this.world.diskLow,
      inputId: (commandId) => this.adapter.inputId(commandId),
      inputAfterReady: (agent) => deps.adapters.get(agent)?.inputAfterReady ?? false,
      // Asked only of a session that is born: before that it has no agent.
      get can() {
        return capabilitiesOf(box);
      },
      mayBypass: deps.settings.allowBypass,
      // What was asked while no server lived may be over already: rules speak when all of it has been heard.
      judge: given.late ? () => undefined : this.world.house.judge,
      subjectOf: (tool, input) => this.adapter.subjectOf(tool, input),
      agentIsGone: this.run?.isGone ?? false,
    };
  }

  private apply(decision: Decision, also: Commit): void {
    const known = this.state.minds.length;
    const stored = commit(this, decision, also);
    if (this.state.minds.length !== known) tellTakenUp(this, known);
    this.watchTime();
    if (stored.length > 0) this.tellEvents(stored);
    for (const effect of decision.effects) performEffect(this, effect);
    const { run } = this;
    if ((also.replies ?? []).length > 0 && run !== undefined) this.insist(GIVE, () => pump(this, run));
  }

  private decideInTime(decide: (draft: Draft) => void): void {
    if (this.world.closing) return;
    const isDone = this.world.deps.problems.during('keep what happens in sessions', () => this.note(decide), this.state.id);
    if (!isDone) this.deadlines.later(() => this.decideInTime(decide));
  }

  private tellEvents(events: readonly Event[]): void {
    this.world.counters.eventsAppended += events.length;
    this.world.subscribers.tell(this.state.id, { kind: 'events', sessionId: this.state.id, events });
    this.tellSummary();
  }

  /** Lists hear of a session at most once a turn of the event loop, however much happened in it. */
  tellSummary(): void {
    if (this.summaryIsDue) return;
    this.summaryIsDue = true;
    this.world.deps.problems.soon('update the lists', () => {
      this.summaryIsDue = false;
      const session = this.state.deleted ? undefined : this.summary();
      const { deps, subscribers } = this.world;
      if (session === undefined) return;
      deps.onSummary(session, deps.journal.position());
      subscribers.tellAll({ kind: 'session', sessionId: session.id, session });
    });
  }

  private tellPartial(heard: Hearing): void {
    this.tellDropped(heard.dropped);
    const deltas = this.run?.partial.news() ?? [];
    if (deltas.length > 0) this.world.subscribers.tell(this.state.id, { kind: 'deltas', sessionId: this.state.id, deltas });
  }

  private tellDropped(itemIds: readonly string[]): void {
    for (const itemId of itemIds) this.world.subscribers.tell(this.state.id, { kind: 'dropped', sessionId: this.state.id, itemId });
  }
}
