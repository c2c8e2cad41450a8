import { judgeWaiting } from '../../../src/domain/permission/answer.ts';
import { decideCommand } from '../../../src/domain/session/commands.ts';
import { type Circumstances, type Decision, Draft } from '../../../src/domain/session/draft.ts';
import { drive } from '../../../src/domain/session/drive.ts';
import { fold } from '../../../src/domain/session/evolve.ts';
import { decideExit, type Recalled } from '../../../src/domain/session/exit.ts';
import { observe } from '../../../src/domain/session/observations.ts';
import { type SessionState, unborn } from '../../../src/domain/session/state.ts';
import { ABLE } from '../../../src/domain/story.ts';
import { type Command, isRefusal } from '../../../src/protocol/command.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { CommandId, RunId, SessionId } from '../../../src/protocol/ids.ts';
import { type Line, type Mind, SimulatedAgent } from './agent.ts';

interface Run {
  readonly id: RunId;
  /** Decided and durable; the first `sent` of them are in the agent's input. */
  readonly outbox: Line[];
  sent: number;
  readonly input: Line[];
  agent: SimulatedAgent | undefined;
  /** How many printed lines the journal has. */
  heard: number;
}

const ID = 's1' as SessionId;

/** The whole circle around the rules, without a process: a journal, an outbox and files that outlive the server, and an agent. */
export class SimulatedHouse {
  readonly journal: Event[] = [];
  readonly mind: Mind = { taken: [] };
  private state: SessionState = unborn(ID);
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
    const decision = decideCommand(this.state, { command, node: 'n', ...(text !== undefined && { message: { text, images: [] } }) }, this.circumstances());
    if (!isRefusal(decision)) this.commit(decision);
  }

  /** The server does one of the things that are due: sends what was decided, starts what was opened, reads what was printed, concludes an end. */
  serve(): boolean {
    const { run } = this;
    if (!this.isUp || run === undefined) return false;
    if (run.agent === undefined) return this.start(run);
    if (run.sent < run.outbox.length && run.agent.isAlive) return this.send(run);
    if (run.heard < run.agent.printed.length) return this.hear(run, run.agent);
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
    this.state = fold(unborn(ID), this.journal);
    const draft = new Draft(this.state, this.circumstances());
    judgeWaiting(draft);
    drive(draft, 'server start');
    this.commit(draft.done());
  }

  get isAtRest(): boolean {
    const quiet = this.run === undefined || (this.run.sent === this.run.outbox.length && this.run.heard === (this.run.agent?.printed.length ?? 0));
    return this.isUp && quiet && (this.run?.agent?.isAtRest ?? true) && this.state.queue.length === 0 && this.state.permissions.length === 0;
  }

  private start(run: Run): true {
    run.agent = new SimulatedAgent(run.id, run.input, this.mind, inputId);
    return true;
  }

  private send(run: Run): true {
    const line = run.outbox[run.sent];
    if (line !== undefined) run.input.push(line);
    run.sent += 1;
    return true;
  }

  private hear(run: Run, agent: SimulatedAgent): true {
    const draft = new Draft(this.state, this.circumstances());
    for (const observation of agent.printed[run.heard] ?? []) observe(draft, run.id, run.heard, observation);
    draft.settle();
    run.heard += 1;
    this.commit(draft.done());
    return true;
  }

  private conclude(run: Run): true {
    const recalled = (commandId: CommandId): Recalled => (this.mind.taken.includes(commandId) ? 'taken' : 'absent');
    const memory = Object.fromEntries(this.state.queue.map((input) => [input.commandId, recalled(input.commandId)]));
    this.run = undefined;
    this.commit(decideExit(this.state, { run: run.id, code: null, signal: null, memory }, this.circumstances()));
    return true;
  }

  /** Events and what they say to the agent are kept together, as the journal keeps them. */
  private commit(decision: Decision): void {
    this.journal.push(...decision.events.map((event, index) => ({ at: decision.at, ...event, seq: this.state.seq + index + 1 }) as Event));
    this.state = decision.state;
    for (const effect of decision.effects) {
      if (effect.type === 'launch') this.run = { id: effect.run, outbox: [], sent: 0, input: [], agent: undefined, heard: 0 };
      else if (effect.type === 'end') this.run?.outbox.push({ type: 'end' });
      else if (effect.type === 'send-input' || effect.type === 'send-interrupt' || effect.type === 'send-answer') this.run?.outbox.push(effect);
    }
  }

  private circumstances(): Circumstances {
    this.count += 1;
    return {
      at: new Date(this.count * 1000).toISOString(),
      actor: { kind: 'person', id: 'ada', name: 'Ada' },
      freshRun: `r${this.count}` as RunId,
      freshAgentSessionId: 'mind',
      placeFree: true,
      diskFree: true,
      inputId,
      can: ABLE,
      mayBypass: false,
      judge: () => undefined,
      subjectOf: () => ({ kind: 'other' }),
    };
  }
}

const inputId = (commandId: CommandId): string => `in-${commandId}`;
