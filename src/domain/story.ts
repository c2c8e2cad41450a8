import type { Command, Refusal } from '../protocol/command.ts';
import { isRefusal } from '../protocol/command.ts';
import type { EventBody, EventType } from '../protocol/event.ts';
import type { AgentId, CommandId, RunId, SessionId } from '../protocol/ids.ts';
import type { Capabilities } from '../protocol/session.ts';
import { type Asked, decideCommand } from './session/commands.ts';
import { type Circumstances, type Decision, Draft, type Effect } from './session/draft.ts';
import { drive } from './session/drive.ts';
import { lostDriver } from './session/driver.ts';
import { escalate } from './session/end-run.ts';
import { decideExit, type Exit } from './session/exit.ts';
import { type Decidable, observe } from './session/observations.ts';
import { type SessionState, unborn } from './session/state.ts';

/** An agent that can do everything. */
export const ABLE: Capabilities = {
  streaming: true,
  permissions: true,
  resume: true,
  fork: true,
  interrupt: true,
  steer: true,
  images: true,
  thinking: true,
  cost: true,
  subagents: true,
  modes: ['default', 'acceptEdits', 'plan', 'bypassPermissions'],
  setModel: true,
  setThinking: true,
  forkAt: true,
  rewind: true,
  editInput: true,
};

type World = Partial<Pick<Circumstances, 'placeFree' | 'diskFree' | 'can' | 'mayBypass' | 'judge' | 'inputAfterReady'>>;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Order = DistributiveOmit<Command, 'sessionId' | 'commandId'> & { readonly commandId?: string };

/** A session told as a story: what people ask, what the agent says, how its process ends. For tests of rules. */
export class Story {
  state: SessionState = unborn('s1' as SessionId);
  readonly events: EventBody[] = [];
  effects: readonly Effect[] = [];
  refusal: Refusal | undefined;
  private count = 0;
  private byte = 0;

  constructor(private readonly world: World = {}) {}

  /** A session that was created without a message and whose agent answers. */
  static ready(world: World = {}): Story {
    return new Story(world).create().says({ type: 'agent.ready' });
  }

  /** One whose agent works on the message `m1`. */
  static working(): Story {
    return Story.ready().send('m1').says({ type: 'turn.began', cause: 'input' });
  }

  with(world: World): this {
    Object.assign(this.world, world);
    return this;
  }

  create(prompt?: string): this {
    return this.asks({ type: 'session.create', commandId: 'c1', agent: 'demo' as AgentId, cwd: '/work', options: {}, ...(prompt !== undefined && { prompt }) });
  }

  send(commandId: string): this {
    return this.asks({ type: 'input.send', commandId, text: `text of ${commandId}` });
  }

  asks(order: Order): this {
    const commandId = (order.commandId ?? `c${this.next()}`) as CommandId;
    const command = { sessionId: this.state.id, ...order, commandId } as Command;
    const text = command.type === 'input.send' || command.type === 'input.edit' ? command.text : command.type === 'session.create' ? command.prompt : undefined;
    const asked: Asked = { command, node: 'n1', ...(text !== undefined && { message: { text, images: [] } }) };
    const decision = decideCommand(this.state, asked, this.circumstances());
    this.refusal = isRefusal(decision) ? decision : undefined;
    return isRefusal(decision) ? this : this.take(decision);
  }

  /** What the agent prints in one line. */
  says(...observations: readonly Decidable[]): this {
    const draft = new Draft(this.state, this.circumstances());
    this.byte += 10;
    for (const observation of observations) observe(draft, this.run, this.byte, observation);
    draft.settle();
    return this.take(draft.done());
  }

  /** Something that the engine noticed by itself. */
  notes(...events: readonly EventBody[]): this {
    const draft = new Draft(this.state, this.circumstances());
    for (const event of events) draft.emit(event);
    draft.settle();
    return this.take(draft.done());
  }

  exits(exit: Partial<Exit> = {}): this {
    return this.take(decideExit(this.state, { run: this.run, code: null, signal: null, memory: 'unknown', ...exit }, this.circumstances()));
  }

  /** The time that an agent has to obey this interrupt is over. */
  overdue(interrupt: string): this {
    const draft = new Draft(this.state, this.circumstances());
    escalate(draft, interrupt as CommandId);
    draft.settle();
    return this.take(draft.done());
  }

  /** The other program that held the conversation has let go of it. */
  losesDriver(): this {
    const draft = new Draft(this.state, this.circumstances());
    lostDriver(draft, 'it ended');
    draft.settle();
    return this.take(draft.done());
  }

  goesOn(): this {
    const draft = new Draft(this.state, this.circumstances());
    drive(draft, 'a place is free');
    draft.settle();
    return this.take(draft.done());
  }

  get run(): RunId {
    return this.state.run.phase === 'none' ? ('none' as RunId) : this.state.run.run;
  }

  /** The types of all events so far, without the statuses between them. */
  get types(): readonly EventType[] {
    return this.events.map((event) => event.type).filter((type) => type !== 'session.status');
  }

  of<T extends EventType>(type: T): readonly Extract<EventBody, { type: T }>[] {
    return this.events.filter((event): event is Extract<EventBody, { type: T }> => event.type === type);
  }

  private take(decision: Decision): this {
    this.events.push(...decision.events);
    this.effects = decision.effects;
    this.state = decision.state;
    return this;
  }

  circumstances(): Circumstances {
    return {
      at: new Date(Date.UTC(2026, 10, 15, 0, 0, this.next())).toISOString(),
      actor: { kind: 'person', id: 'ada', name: 'Ada' },
      freshRun: `r${this.next()}` as RunId,
      freshAgentSessionId: `mind${this.next()}`,
      placeFree: this.world.placeFree ?? true,
      diskFree: this.world.diskFree ?? true,
      inputId: (commandId) => `in-${commandId}`,
      inputAfterReady: this.world.inputAfterReady ?? (() => false),
      can: this.world.can ?? ABLE,
      mayBypass: this.world.mayBypass ?? false,
      judge: this.world.judge ?? (() => undefined),
      subjectOf: (_tool, input) => (typeof input.command === 'string' ? { kind: 'command', command: input.command } : { kind: 'other' }),
    };
  }

  private next(): number {
    this.count += 1;
    return this.count;
  }
}

export const ended = (over: Partial<Extract<Decidable, { type: 'turn.ended' }>> = {}): Decidable => ({
  type: 'turn.ended',
  aborted: false,
  isError: false,
  stopReason: 'end_turn',
  denials: 0,
  ...over,
});

export const asks = (agentRequestId: string): Decidable => ({ type: 'permission.asked', agentRequestId, tool: 'Bash', input: { command: 'ls' }, kind: 'tool' });

export const startsTool = (toolUseId: string): Decidable => ({ type: 'tool.started', toolUseId, name: 'Bash', input: { command: 'ls' } });
