import { judgeWaiting } from '../../../src/domain/permission/answer.ts';
import { advance } from '../../../src/domain/session/advance.ts';
import { decideCommand } from '../../../src/domain/session/commands.ts';
import { type Decision, type DecisionContext, Draft } from '../../../src/domain/session/draft.ts';
import { fold } from '../../../src/domain/session/evolve.ts';
import { decideExit, type RecordedDelivery } from '../../../src/domain/session/exit.ts';
import { observe } from '../../../src/domain/session/observations.ts';
import { newSessionState, type SessionState } from '../../../src/domain/session/state.ts';
import { type Command, isRefusal } from '../../../src/protocol/command.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { CommandId, RunId, SessionId } from '../../../src/protocol/ids.ts';
import { ALL_CAPABILITIES } from '../domain/session-scenario.ts';
import { type Line, SimulatedAgent, type SimulatedConversation } from './agent.ts';

interface Run {
  readonly id: RunId;
  /** Decided and durable. The first `sent` of them are in the agent's input. */
  readonly outbox: Line[];
  sent: number;
  readonly input: Line[];
  agent: SimulatedAgent | undefined;
  /** How many lines of output are in the journal. */
  ingested: number;
}

const ID = 's1' as SessionId;

/** Everything around the rules, without processes: a journal, an outbox and files that outlive the server, and an agent. */
export class SimulatedServer {
  readonly journal: Event[] = [];
  readonly conversation: SimulatedConversation = { taken: [] };
  private state: SessionState = newSessionState(ID);
  private run: Run | undefined;
  private isUp = true;
  private count = 0;

  get now(): SessionState {
    return this.state;
  }

  get serverIsUp(): boolean {
    return this.isUp;
  }

  ask(command: Command): void {
    if (!this.isUp) return;
    const text = command.type === 'input.send' || command.type === 'input.edit' ? command.text : undefined;
    const decision = decideCommand(this.state, { command, node: 'n', ...(text !== undefined && { message: { text, images: [] } }) }, this.decisionContext());
    if (!isRefusal(decision)) this.commit(decision);
  }

  /** One due step of the server: start an agent, send a line, read output, or record an exit. */
  serve(): boolean {
    const { run } = this;
    if (!this.isUp || run === undefined) return false;
    if (run.agent === undefined) return this.start(run);
    if (run.sent < run.outbox.length && run.agent.isAlive) return this.send(run);
    if (run.ingested < run.agent.printed.length) return this.ingest(run, run.agent);
    if (!run.agent.isAlive) return this.conclude(run);
    return false;
  }

  agentSteps(choice: number): void {
    this.run?.agent?.step(choice);
  }

  agentDies(): void {
    this.run?.agent?.die();
  }

  serverDies(): void {
    this.isUp = false;
  }

  /** A new server knows only what is durable. */
  serverStarts(): void {
    if (this.isUp) return;
    this.isUp = true;
    this.state = fold(newSessionState(ID), this.journal);
    const draft = new Draft(this.state, this.decisionContext());
    judgeWaiting(draft);
    advance(draft, 'server start');
    this.commit(draft.done());
  }

  get isAtRest(): boolean {
    const isDrained = this.run === undefined || (this.run.sent === this.run.outbox.length && this.run.ingested === (this.run.agent?.printed.length ?? 0));
    return this.isUp && isDrained && (this.run?.agent?.isAtRest ?? true) && this.state.queue.length === 0 && this.state.permissions.length === 0;
  }

  private start(run: Run): true {
    run.agent = new SimulatedAgent(run.id, run.input, this.conversation, inputId);
    return true;
  }

  private send(run: Run): true {
    const line = run.outbox[run.sent];
    if (line !== undefined) run.input.push(line);
    run.sent += 1;
    return true;
  }

  private ingest(run: Run, agent: SimulatedAgent): true {
    const draft = new Draft(this.state, this.decisionContext());
    for (const observation of agent.printed[run.ingested] ?? []) observe(draft, run.id, run.ingested, observation);
    draft.settle();
    run.ingested += 1;
    this.commit(draft.done());
    return true;
  }

  private conclude(run: Run): true {
    const deliveryOf = (commandId: CommandId): RecordedDelivery => (this.conversation.taken.includes(commandId) ? 'taken' : 'absent');
    const memory = Object.fromEntries(this.state.queue.map((input) => [input.commandId, deliveryOf(input.commandId)]));
    this.run = undefined;
    this.commit(decideExit(this.state, { run: run.id, code: null, signal: null, memory }, this.decisionContext()));
    return true;
  }

  /** Stores events and the lines for the agent together, as the journal does. */
  private commit(decision: Decision): void {
    this.journal.push(...decision.events.map((event, index) => ({ at: decision.at, ...event, seq: this.state.seq + index + 1 }) as Event));
    this.state = decision.state;
    for (const effect of decision.effects) {
      if (effect.type === 'launch') this.run = { id: effect.run, outbox: [], sent: 0, input: [], agent: undefined, ingested: 0 };
      else if (effect.type === 'end') this.run?.outbox.push({ type: 'end' });
      else if (effect.type === 'send-input' || effect.type === 'send-interrupt' || effect.type === 'send-answer') this.run?.outbox.push(effect);
    }
  }

  private decisionContext(): DecisionContext {
    this.count += 1;
    return {
      at: new Date(this.count * 1000).toISOString(),
      actor: { kind: 'person', id: 'ada', name: 'Ada' },
      freshRun: `r${this.count}` as RunId,
      freshAgentSessionId: 'conversation',
      hasFreeSlot: true,
      hasDiskSpace: true,
      inputId,
      can: ALL_CAPABILITIES,
      mayBypass: false,
      judge: () => undefined,
      subjectOf: () => ({ kind: 'other' }),
      askId: (run, toolUseId) => `${run}-${toolUseId}`,
    };
  }
}

const inputId = (commandId: CommandId): string => `in-${commandId}`;
