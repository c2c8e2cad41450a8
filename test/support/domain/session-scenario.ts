import { advance } from '../../../src/domain/session/advance.ts';
import { decideCommand, type PreparedCommand } from '../../../src/domain/session/commands.ts';
import { type Decision, type DecisionContext, Draft, type Effect } from '../../../src/domain/session/draft.ts';
import { lostDriver } from '../../../src/domain/session/driver.ts';
import { escalate } from '../../../src/domain/session/end-run.ts';
import { decideExit, type Exit } from '../../../src/domain/session/exit.ts';
import { type Decidable, observe } from '../../../src/domain/session/observations.ts';
import { newSessionState, type SessionState } from '../../../src/domain/session/state.ts';
import type { Command, Refusal } from '../../../src/protocol/command.ts';
import { isRefusal } from '../../../src/protocol/command.ts';
import type { EventBody, EventType } from '../../../src/protocol/event.ts';
import type { AgentId, CommandId, RunId, SessionId } from '../../../src/protocol/ids.ts';
import type { Capabilities } from '../../../src/protocol/session.ts';

/** An agent that can do everything. */
export const ALL_CAPABILITIES: Capabilities = {
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
  tools: 'bus',
};

type ScenarioContext = Partial<
  Pick<DecisionContext, 'at' | 'actor' | 'resumesAt' | 'hasFreeSlot' | 'hasDiskSpace' | 'can' | 'mayBypass' | 'judge' | 'inputAfterReady' | 'isCalling'>
>;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type CommandInput = DistributiveOmit<Command, 'sessionId' | 'commandId'> & { readonly commandId?: string };

/** A session step by step: what people send, what the agent prints, how its process ends. */
export class SessionScenario {
  state: SessionState = newSessionState('s1' as SessionId);
  readonly events: EventBody[] = [];
  effects: readonly Effect[] = [];
  refusal: Refusal | undefined;
  private count = 0;
  private byte = 0;

  constructor(private readonly given: ScenarioContext = {}) {}

  /** A session that was created without a message and whose agent is ready. */
  static ready(given: ScenarioContext = {}): SessionScenario {
    return new SessionScenario(given).create().says({ type: 'agent.ready' });
  }

  /** A session whose agent works on the message `m1`. */
  static working(): SessionScenario {
    return SessionScenario.ready().send('m1').says({ type: 'turn.began', cause: 'input' });
  }

  with(given: ScenarioContext): this {
    Object.assign(this.given, given);
    return this;
  }

  create(prompt?: string): this {
    return this.asks({ type: 'session.create', commandId: 'c1', agent: 'demo' as AgentId, cwd: '/work', options: {}, ...(prompt !== undefined && { prompt }) });
  }

  send(commandId: string): this {
    return this.asks({ type: 'input.send', commandId, text: `text of ${commandId}` });
  }

  asks(input: CommandInput): this {
    const commandId = (input.commandId ?? `c${this.next()}`) as CommandId;
    const command = { sessionId: this.state.id, ...input, commandId } as Command;
    const text = command.type === 'input.send' || command.type === 'input.edit' ? command.text : command.type === 'session.create' ? command.prompt : undefined;
    const asked: PreparedCommand = { command, node: 'n1', ...(text !== undefined && { message: { text, images: [] } }) };
    const decision = decideCommand(this.state, asked, this.context());
    this.refusal = isRefusal(decision) ? decision : undefined;
    return isRefusal(decision) ? this : this.take(decision);
  }

  /** The agent prints one line with these observations. */
  says(...observations: readonly Decidable[]): this {
    const draft = new Draft(this.state, this.context());
    this.byte += 10;
    for (const observation of observations) observe(draft, this.run, this.byte, observation);
    draft.settle();
    return this.take(draft.done());
  }

  /** Events that the engine adds by itself. */
  notes(...events: readonly EventBody[]): this {
    const draft = new Draft(this.state, this.context());
    for (const event of events) draft.emit(event);
    draft.settle();
    return this.take(draft.done());
  }

  exits(exit: Partial<Exit> = {}): this {
    return this.take(decideExit(this.state, { run: this.run, code: null, signal: null, memory: 'unknown', ...exit }, this.context()));
  }

  /** The agent didn't obey this interrupt in time. */
  overdue(interrupt: string): this {
    const draft = new Draft(this.state, this.context());
    escalate(draft, interrupt as CommandId);
    draft.settle();
    return this.take(draft.done());
  }

  /** The other program that had the conversation open has closed it. */
  losesDriver(): this {
    const draft = new Draft(this.state, this.context());
    lostDriver(draft, 'it ended');
    draft.settle();
    return this.take(draft.done());
  }

  advances(): this {
    const draft = new Draft(this.state, this.context());
    advance(draft, 'a slot is free');
    draft.settle();
    return this.take(draft.done());
  }

  get run(): RunId {
    return this.state.run.phase === 'none' ? ('none' as RunId) : this.state.run.run;
  }

  /** The types of all events so far, without status events. */
  get types(): readonly EventType[] {
    return this.events.map((event) => event.type).filter((type) => type !== 'session.status');
  }

  of<T extends EventType>(type: T): readonly Extract<EventBody, { type: T }>[] {
    return this.events.filter((event): event is Extract<EventBody, { type: T }> => event.type === type);
  }

  /** A decision that was made elsewhere. */
  takes(draft: Draft): this {
    draft.settle();
    return this.take(draft.done());
  }

  private take(decision: Decision): this {
    this.events.push(...decision.events);
    this.effects = decision.effects;
    this.state = decision.state;
    return this;
  }

  context(): DecisionContext {
    return {
      at: this.given.at ?? new Date(Date.UTC(2026, 10, 15, 0, 0, this.next())).toISOString(),
      actor: this.given.actor ?? { kind: 'person', id: 'ada', name: 'Ada' },
      freshRun: `r${this.next()}` as RunId,
      freshAgentSessionId: `mind${this.next()}`,
      hasFreeSlot: this.given.hasFreeSlot ?? true,
      hasDiskSpace: this.given.hasDiskSpace ?? true,
      inputId: (commandId) => `in-${commandId}`,
      askId: (run, toolUseId) => `${run}-${toolUseId}`,
      isCalling: this.given.isCalling ?? (() => false),
      inputAfterReady: this.given.inputAfterReady ?? (() => false),
      can: this.given.can ?? ALL_CAPABILITIES,
      mayBypass: this.given.mayBypass ?? false,
      judge: this.given.judge ?? (() => undefined),
      ...(this.given.resumesAt !== undefined && { resumesAt: this.given.resumesAt }),
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
