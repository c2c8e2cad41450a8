import { agentOf } from '../../domain/plan/estimate.ts';
import { nextOfGeneration } from '../../domain/plan/generate.ts';
import { promptOf } from '../../domain/plan/handoff.ts';
import { nextEvents, type PlanFacts, type SeenSession, timeLeftMs } from '../../domain/plan/next.ts';
import { startable } from '../../domain/plan/ready.ts';
import { RETRY_MS } from '../../problems/problems.ts';
import type { Attempt, PlanGeneration, PlanNodeState } from '../../protocol/api/plan.ts';
import type { EventBody } from '../../protocol/event.ts';
import { AgentId, type CommandId, type SessionId } from '../../protocol/ids.ts';
import { commandOfNode, nodeOfSession, type PlanId, type PlanStatus, planCommandId, planOfSession, sessionOfNode } from '../../protocol/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { KeyedQueues } from '../loop/keyed-queues.ts';
import { deliverGeneration } from './generate.ts';
import { limitsNow } from './limits-now.ts';
import { SessionObserver } from './observe-session.ts';
import type { PlanActor } from './plan-actor.ts';
import { actOn } from './run-node.ts';
import { generationCommand, inputStep } from './submit.ts';

const RUN_PLANS = 'run plans';

/** Longer waits are split: a timer counts 31 bits of milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Brings plans forward. Everything it does follows from the plan's state and from what its sessions show: after a restart it looks again and does
 * what is missing, under the same command ids.
 */
export class PlanRunner {
  private readonly observers = new Map<SessionId, SessionObserver>();
  private readonly due = new Set<PlanActor>();
  private readonly acting = new Map<string, Promise<void>>();
  private readonly timers = new Map<PlanActor, NodeJS.Timeout>();
  private unwatch: () => void = () => undefined;
  private isScheduled = false;

  constructor(
    private readonly context: EngineContext,
    private readonly queues: KeyedQueues,
    private readonly plans: () => Iterable<PlanActor>,
    private readonly planOf: (id: PlanId) => PlanActor | undefined,
  ) {}

  start(): void {
    this.unwatch = this.context.subscribers.add('*', (news) => {
      if (!('sessionId' in news) || news.kind === 'deltas') return;
      const planId = planOfSession(news.sessionId);
      const plan = planId === undefined ? undefined : this.planOf(planId);
      if (plan !== undefined && news.kind === 'deleted') this.sessionGone(plan, news.sessionId);
      if (plan !== undefined) this.wake(plan);
      // A limit holds for all sessions of an agent.
      if (news.kind === 'events' && news.events.some(({ type }) => type === 'limit.reported'))
        for (const each of this.plans()) if (each.state.status === 'running') this.wake(each);
    });
    for (const plan of this.plans()) if (plan.state.status !== 'cancelled' || this.isStillWorking(plan)) this.wake(plan);
  }

  /** The server died between the decision to cancel and the interrupts. */
  private isStillWorking({ state }: PlanActor): boolean {
    return state.nodes.some(({ attempts }) => attempts.some(({ sessionId }) => this.context.sessions.get(sessionId)?.state.turn.phase === 'running'));
  }

  /** Without its session nothing can be continued; another attempt can. */
  private sessionGone(plan: PlanActor, sessionId: SessionId): void {
    const node = plan.state.nodes.find(({ status, attempts }) => (status === 'running' || status === 'waiting') && attempts.at(-1)?.sessionId === sessionId);
    const attempt = node?.attempts.at(-1);
    if (node === undefined || attempt === undefined || plan.state.endedAt !== undefined) return;
    plan.append([{ type: 'node.finished', node: node.id, attempt: attempt.n, outcome: 'failed', reason: 'Its session was deleted.' }]);
  }

  /** Looks at the plan soon, once for all calls until then. */
  wake(plan: PlanActor): void {
    if (this.context.closing || isIdle(plan)) return;
    this.due.add(plan);
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.context.deps.problems.soonWithRetry(RUN_PLANS, () => {
      this.isScheduled = false;
      this.runDue();
    });
  }

  private runDue(): void {
    for (const plan of [...this.due]) {
      if (this.context.closing) return this.due.clear();
      this.bringForward(plan);
      this.due.delete(plan);
    }
  }

  private bringForward(plan: PlanActor): void {
    for (let events = this.nextOf(plan); events.length > 0; events = this.nextOf(plan)) plan.append(events);
    for (const generation of openGenerations(plan))
      this.hold(plan, `${plan.id} generate`, () => deliverGeneration(this.context, plan, generation, (...text) => this.textOf(...text)));
    for (const node of plan.state.nodes) {
      const attempt = node.attempts.at(-1);
      if (attempt !== undefined) this.act(plan, node, attempt);
    }
    this.setTimer(plan);
    if (isIdle(plan)) for (const { attempts } of plan.state.nodes) for (const { sessionId } of attempts) this.observers.delete(sessionId);
  }

  private nextOf(plan: PlanActor): readonly EventBody[] {
    const facts = this.factsFor(plan);
    const events = [...this.ofGenerations(plan), ...nextEvents(plan.state, facts)];
    if (events.length > 0) return events;
    const node = startable(plan.state, facts).find(({ kind }) => kind !== 'gate');
    return node === undefined ? [] : [this.startOf(plan, node)];
  }

  private ofGenerations(plan: PlanActor): readonly EventBody[] {
    const [generation] = openGenerations(plan);
    if (generation === undefined) return [];
    const { sessionId, inputs } = generation;
    const seen = this.see(sessionId, generationCommand(plan.id, generation.n, inputs.length));
    return seen === undefined ? [] : nextOfGeneration(plan.state, generation, seen, { kind: 'agent', id: generation.agent, name: generation.agent });
  }

  private see(sessionId: SessionId, lastInput: CommandId): SeenSession | undefined {
    const { deps, sessions } = this.context;
    const observer = this.observers.get(sessionId) ?? new SessionObserver(sessionId);
    this.observers.set(sessionId, observer);
    return observer.see(deps.journal, sessions.get(sessionId)?.state, lastInput, deps.now().getTime());
  }

  private factsFor(plan: PlanActor): PlanFacts {
    const { context } = this;
    let limits: PlanFacts['limits'] | undefined;
    return {
      at: context.deps.now().toISOString(),
      // Looks at all sessions, and few decisions need it.
      get limits() {
        limits ??= limitsNow(context);
        return limits;
      },
      seen: ({ sessionId, n, inputs }) => {
        const node = nodeOfSession(sessionId);
        return node === undefined ? undefined : this.see(sessionId, planCommandId(plan.id, node.nodeId, n, inputStep(inputs.at(-1)?.n ?? 1)));
      },
    };
  }

  private startOf({ id, state }: PlanActor, node: PlanNodeState): EventBody {
    const attempt = node.attempts.length + 1;
    const full = this.textOf(node.prompt, node.promptBlob?.sha256);
    const isCommand = node.kind === 'command';
    return {
      type: 'node.started',
      node: node.id,
      attempt,
      sessionId: isCommand ? commandOfNode(id, node.id, attempt) : sessionOfNode(id, node.id, attempt, 'run'),
      prompt: isCommand ? full : promptOf(state, node, full, this.hasTools(agentOf(node, state.head))),
    };
  }

  private hasTools(agent: string | undefined): boolean {
    const known = AgentId.safeParse(agent).data;
    return known === undefined || this.context.deps.adapters.get(known)?.capabilities.tools === 'bus';
  }

  private textOf(head: string, sha256: string | undefined): string {
    if (sha256 === undefined) return head;
    const bytes = this.context.deps.journal.blob(sha256);
    if (bytes === undefined) throw new Error(`The blob ${sha256} is missing from the data folder`);
    return Buffer.from(bytes).toString('utf8');
  }

  /** At most one act at a time for each step; when it is done, the plan is looked at again. */
  private act(plan: PlanActor, node: PlanNodeState, attempt: Attempt): void {
    this.hold(plan, `${plan.id} ${node.id}`, () => actOn(this.context, this.queues, plan, node, attempt, (...text) => this.textOf(...text)));
  }

  private hold(plan: PlanActor, key: string, start: () => Promise<boolean> | undefined): void {
    if (this.acting.has(key)) return;
    const work = start();
    if (work === undefined) return;
    const { problems } = this.context.deps;
    const done = work
      .then((isChanged) => {
        problems.worked(RUN_PLANS, key);
        return isChanged;
      })
      .catch((error: unknown) => {
        if (!this.context.closing) {
          problems.failed(RUN_PLANS, error, key);
          problems.after(RUN_PLANS, RETRY_MS, () => this.wake(plan)).unref();
        }
        return false;
      })
      .then((isChanged) => {
        this.acting.delete(key);
        if (isChanged) this.wake(plan);
      });
    this.acting.set(key, done);
  }

  /** The next time at which something is due: a limit resets, or a step has used its time. Read from the state, so a restart sets it again. */
  private setTimer(plan: PlanActor): void {
    clearTimeout(this.timers.get(plan));
    this.timers.delete(plan);
    const waitMs = this.nextDueMs(plan);
    if (waitMs === undefined) return;
    const timer = this.context.deps.problems.after(RUN_PLANS, Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS), () => this.wake(plan));
    this.timers.set(plan, timer.unref());
  }

  private nextDueMs(plan: PlanActor): number | undefined {
    if (plan.state.status !== 'running') return undefined;
    const facts = this.factsFor(plan);
    const now = Date.parse(facts.at);
    const limits = [...facts.limits.values()].map((until) => Date.parse(until) - now).filter((ms) => ms > 0);
    const nodes = plan.state.nodes.flatMap((node) => {
      const attempt = node.attempts.at(-1);
      const seen = attempt === undefined || node.status !== 'running' ? undefined : facts.seen(attempt);
      if (attempt === undefined || seen === undefined) return [];
      const resets = attempt.last === 'limited' && attempt.until !== undefined ? [Date.parse(attempt.until) - now] : [];
      return seen.isWorking ? [timeLeftMs(node, attempt, seen), ...resets] : resets;
    });
    const all = [...limits, ...nodes].filter(Number.isFinite);
    return all.length === 0 ? undefined : Math.min(...all) + 1;
  }

  forget(plan: PlanActor): void {
    clearTimeout(this.timers.get(plan));
    this.timers.delete(plan);
    this.due.delete(plan);
  }

  get isQuiet(): boolean {
    // A check that runs goes on without this server, and the next one reads how it ended.
    return this.context.closing || (this.acting.size === 0 && !this.isScheduled);
  }

  async idle(): Promise<void> {
    while (this.acting.size > 0) await Promise.all(this.acting.values());
  }

  close(): void {
    this.unwatch();
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}

const openGenerations = ({ state }: PlanActor): readonly PlanGeneration[] => state.generations.filter(({ outcome }) => outcome === undefined);

/** Nothing is to be done for a draft or a plan that is over, unless an agent makes steps for it. */
const isIdle = (plan: PlanActor): boolean => IDLE.has(plan.state.status) && openGenerations(plan).length === 0;
const IDLE: ReadonlySet<PlanStatus> = new Set<PlanStatus>(['draft', 'done', 'failed']);
