import type { Effect } from '../../../src/domain/session/draft.ts';
import type { Decidable } from '../../../src/domain/session/observations.ts';
import type { CommandId, RunId } from '../../../src/protocol/ids.ts';

/** A line of the agent's input: an effect that sends something to it. */
export type Line = Extract<Effect, { type: 'send-input' | 'send-interrupt' | 'send-answer' }> | { readonly type: 'end' };

/** What a conversation remembers across its agent processes: the inputs they took, in order. */
export interface SimulatedConversation {
  readonly taken: CommandId[];
}

interface Work {
  readonly inputs: CommandId[];
  requests: string[];
  steps: number;
}

/**
 * Behaves like a real agent: it reads its input in order and takes one message at a time. A message that arrives mid-turn joins the turn or is next.
 * It asks for permission and waits, and withdraws its requests when it is interrupted. Its output outlives it.
 */
export class SimulatedAgent {
  readonly printed: (readonly Decidable[])[] = [];
  isAlive = true;
  private read = 0;
  private waiting: CommandId[] = [];
  private work: Work | undefined;
  private asked = 0;

  constructor(
    readonly run: RunId,
    private readonly input: readonly Line[],
    private readonly conversation: SimulatedConversation,
    private readonly inputId: (commandId: CommandId) => string,
  ) {
    this.printed.push([{ type: 'agent.ready' }]);
  }

  get isAtRest(): boolean {
    return !this.isAlive || (this.read === this.input.length && this.work === undefined && this.waiting.length === 0);
  }

  /** One step of the agent. Where several are possible, `choice` selects one. */
  step(choice: number): void {
    if (!this.isAlive) return;
    const line = this.input[this.read];
    if (line !== undefined && choice % 2 === 0) return this.take(line);
    if (this.work !== undefined) return this.continueTurn(this.work, choice);
    const next = this.waiting.shift();
    if (next !== undefined) return this.startTurn(next, choice);
    if (line !== undefined) this.take(line);
  }

  die(): void {
    this.isAlive = false;
  }

  private take(line: Line): void {
    this.read += 1;
    if (line.type === 'send-input') this.receive(line.commandId);
    else if (line.type === 'send-answer') this.answered(line.requestId);
    else this.interrupted(line.type === 'end');
  }

  /** A message that arrives mid-turn, while a request is pending or a tool runs, joins the turn; otherwise it is next. */
  private receive(commandId: CommandId): void {
    if (this.conversation.taken.includes(commandId)) return;
    if (this.work !== undefined && this.work.steps % 2 === 0) {
      this.work.inputs.push(commandId);
      this.took(commandId);
    } else this.waiting.push(commandId);
  }

  private startTurn(commandId: CommandId, choice: number): void {
    this.work = { inputs: [commandId], requests: [], steps: 1 + (choice % 4) };
    this.printed.push([{ type: 'turn.began', cause: 'input' }]);
    this.took(commandId);
  }

  private took(commandId: CommandId): void {
    this.conversation.taken.push(commandId);
    this.printed.push([{ type: 'input.taken', inputId: this.inputId(commandId) }]);
  }

  private continueTurn(work: Work, choice: number): void {
    if (work.requests.length > 0) return;
    if (work.steps <= 0) return this.end(false);
    work.steps -= 1;
    if (choice % 3 === 0) return;
    this.asked += 1;
    const agentRequestId = `p${this.asked}`;
    work.requests = [agentRequestId];
    this.printed.push([{ type: 'permission.asked', agentRequestId, tool: 'Bash', input: { command: 'ls' }, kind: 'tool' }]);
  }

  private answered(requestId: string): void {
    if (this.work !== undefined) this.work.requests = this.work.requests.filter((open) => `${this.run}:${open}` !== requestId);
  }

  private interrupted(thenExit: boolean): void {
    if (this.work !== undefined) {
      // Some versions withdraw their requests, others just end the turn.
      const withdrawn = this.asked % 2 === 0 ? [] : this.work.requests;
      for (const agentRequestId of withdrawn) this.printed.push([{ type: 'permission.withdrawn', agentRequestId, reason: 'interrupted' }]);
      this.end(true);
    }
    if (thenExit) this.isAlive = false;
  }

  private end(aborted: boolean): void {
    this.work = undefined;
    this.printed.push([{ type: 'turn.ended', aborted, isError: false, stopReason: aborted ? 'interrupted' : 'end_turn', denials: 0 }]);
  }
}
