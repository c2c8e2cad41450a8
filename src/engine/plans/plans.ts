import { cardsOf, commandsOfAnswer } from '../../domain/plan/cards.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { PlanState, WaitsFor } from '../../protocol/api/plan.ts';
import { type CommandOf, isRefusal, type Receipt, type Refusal } from '../../protocol/command.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type PlanCommand, type PlanId, planOfSession, planOfStream, planStream } from '../../protocol/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { KeyedQueues } from '../loop/keyed-queues.ts';
import { contentOf, repeated } from '../loop/repeated-command.ts';
import { PlanActor } from './plan-actor.ts';
import { PlanRunner } from './plan-runner.ts';
import { placeOf, repositoryFor } from './start-place.ts';
import { waitsOf } from './waits.ts';

/** All plans of this server. Commands of one plan run one after the other. */
export class Plans {
  private readonly known = new Map<PlanId, PlanActor>();
  private readonly queues = new KeyedQueues();
  private runner: PlanRunner | undefined;

  /** The context has this object as a part, so it can be asked for only later. */
  constructor(private readonly contextOf: () => EngineContext) {}

  /** Reads all plans and continues those that run. */
  load(): void {
    const context = this.contextOf();
    for (const stream of context.deps.journal.streams()) {
      const id = planOfStream(stream);
      if (id !== undefined) this.add(id);
    }
    this.runner = new PlanRunner(
      context,
      this.queues,
      () => this.known.values(),
      (id) => this.known.get(id),
    );
    this.runner.start();
  }

  private add(id: PlanId): PlanActor {
    const plan = new PlanActor(this.contextOf(), id, (changed) => this.runner?.wake(changed));
    this.known.set(id, plan);
    return plan;
  }

  states(): readonly PlanState[] {
    return [...this.known.values()].map(({ state }) => state).sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  }

  state(id: PlanId): PlanState | undefined {
    return this.known.get(id)?.state;
  }

  ofStream(stream: SessionId): PlanState | undefined {
    const id = planOfStream(stream);
    return id === undefined ? undefined : this.state(id);
  }

  waits(id: PlanId): Readonly<Record<string, WaitsFor>> {
    const plan = this.known.get(id);
    return plan === undefined ? {} : waitsOf(this.contextOf(), plan.state);
  }

  /** A session of a plan belongs to the person who made the plan. */
  ownerOf(id: SessionId): { readonly sessionId: string; readonly owner: string; readonly ownerId: string } | undefined {
    const planId = planOfSession(id);
    const creator = planId === undefined ? undefined : this.state(planId)?.createdBy;
    return planId === undefined || creator === undefined ? undefined : { sessionId: planStream(planId), owner: creator.name, ownerId: creator.id };
  }

  submit(command: PlanCommand, actor: Actor): Promise<Receipt | Refusal> {
    return this.queues.run(command.planId, () => this.execute(command, actor));
  }

  private async execute(command: PlanCommand, actor: Actor): Promise<Receipt | Refusal> {
    const context = this.contextOf();
    const content = contentOf(command);
    const earlier = repeated(context.deps.journal, command, content);
    if (earlier !== undefined) return earlier;
    if (context.closing) return { refused: 'shutting-down', message: 'Signalbox is shutting down. Send this again in a moment.' };
    const known = this.known.get(command.planId);
    if (known === undefined && command.type !== 'plan.create') return { refused: 'not-found', message: `There is no plan ${command.planId}.` };
    const placed = command.type === 'plan.create' ? await placeOf(context, command) : command;
    if (isRefusal(placed)) return placed;
    const repo = command.type === 'plan.start' && known !== undefined ? await repositoryFor(known.state, this.states()) : undefined;
    if (repo !== undefined && isRefusal(repo)) return repo;
    const plan = known ?? this.add(command.planId);
    const answer = plan.command(placed, { actor, ...(repo !== undefined && { repo }) }, content);
    if (plan.state.seq === 0) this.known.delete(command.planId);
    if (!isRefusal(answer) && command.type === 'plan.delete') this.forget(plan);
    return answer;
  }

  /** Its sessions stay: they are what was done. */
  private forget(plan: PlanActor): void {
    const { deps, subscribers } = this.contextOf();
    this.known.delete(plan.id);
    this.runner?.forget(plan);
    deps.journal.forget(plan.stream);
    subscribers.publish(plan.stream, { kind: 'deleted', sessionId: plan.stream });
  }

  /** What plans ask people, for the inbox. */
  cards(stream?: SessionId): readonly WaitingPermission[] {
    return this.states().flatMap((state) => (stream === undefined || planStream(state.id) === stream ? cardsOf(state) : []));
  }

  /** A person answers a card in the inbox. */
  async answer(command: CommandOf<'permission.answer'>, actor: Actor): Promise<Receipt | Refusal> {
    const known = this.contextOf().deps.journal.receipt(command.commandId);
    const state = this.ofStream(command.sessionId);
    if (known !== undefined || state === undefined) return known ?? { refused: 'not-found', message: `There is no request ${command.requestId}.` };
    const commands = commandsOfAnswer(state, command);
    if (isRefusal(commands)) return commands;
    let first: Receipt | Refusal | undefined;
    for (const one of commands) {
      const answer = await this.submit(one, actor);
      if (isRefusal(answer)) return answer;
      first ??= answer;
    }
    return first ?? { refused: 'not-found', message: `There is no request ${command.requestId}.` };
  }

  get isQuiet(): boolean {
    return this.runner?.isQuiet ?? true;
  }

  async idle(): Promise<void> {
    await this.runner?.idle();
  }

  close(): void {
    this.runner?.close();
  }
}
