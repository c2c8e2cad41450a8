import type { CommandId, RunId, TurnId } from '../../protocol/ids.ts';
import { inFlight } from '../queue/queue.ts';
import { advance, openRun } from './advance.ts';
import { closeEverything } from './close.ts';
import { type Decision, type DecisionContext, Draft } from './draft.ts';
import { abandonSummary } from './handover.ts';
import { markConsumed } from './observations.ts';
import type { Input, SessionState } from './state.ts';
import { restAfter, waitsForSlot } from './status.ts';

/** What is known when a process has gone and everything it printed has been read. */
export interface Exit {
  readonly run: RunId;
  readonly code: number | null;
  readonly signal: string | null;
  /** Set when the run never came to life. */
  readonly couldNotStart?: string;
  /** The run was decided, and the server died before it was started: no fault of the agent. */
  readonly neverBegan?: true;
  /** The last thing it said on stderr; shown when it ended in trouble. */
  readonly lastWords?: string;
  /** What the agent's own memory says about the messages that were on their way: of each, or of all of them. */
  readonly memory: RecordedDelivery | Readonly<Record<CommandId, RecordedDelivery>>;
}

export type RecordedDelivery = 'absent' | 'taken' | 'answered' | 'unknown';

/**
 * The policy for a process that is gone, however it ended:
 * - a message the agent never took goes back to the head of the queue and is sent again, under the same id;
 * - a message it took is closed with its turn as interrupted, and is never sent again by itself;
 * - requests lapse, tools are closed; what still waits in the queue continues in a new run, unless the agent keeps dying, or a person stopped the session
 *   and nobody has sent a message since.
 */
export function decideExit(state: SessionState, exit: Exit, now: DecisionContext): Decision {
  const draft = new Draft(state, now);
  if (state.run.phase === 'none' || state.run.run !== exit.run) return draft.done();
  const reason = reasonOf(state, exit);
  const isWanted = reason !== 'stop' || hasMessageSince(state);
  closeInputs(draft, exit, reason);
  closeTurn(draft);
  draft.emit({ type: 'session.exited', run: exit.run, code: exit.code, signal: exit.signal, reason });
  showTrouble(draft, exit, reason);
  if (reason !== 'handover' && reason !== 'never-began') abandonSummary(draft);
  if (isWanted) continueAfter(draft, reason);
  // A session that was stopped and then wanted again sleeps while another program keeps it from starting: it wakes when that one is gone.
  const rest = reason === 'stop' && isWanted ? 'sleeping' : restAfter(reason);
  if (draft.state.run.phase === 'none' && !waitsForSlot(draft.state)) draft.show(rest, 'session.exited');
  draft.settle();
  return draft.done();
}

/** A stuck agent, and one whose mode needs it, gets a new process at once; others when something waits. */
function continueAfter(draft: Draft, reason: string): void {
  if (reason === 'could-not-start' || draft.state.deleted) return;
  const again = reason === 'stuck' || reason === 'restart';
  if (again && draft.now.hasFreeSlot && draft.state.driver === null) openRun(draft, 'session.exited');
  advance(draft, 'session.exited');
}

/** Somebody sent a message after the stop, and has not taken it back. */
const hasMessageSince = ({ run, queue }: SessionState): boolean =>
  run.phase === 'ending' && (run.since ?? []).some((commandId) => queue.some((input) => input.commandId === commandId));

function reasonOf(state: SessionState, exit: Exit): string {
  if (state.run.phase === 'ending') return state.run.reason;
  if (exit.couldNotStart !== undefined) return 'could-not-start';
  if (exit.neverBegan) return 'never-began';
  return exit.code === 0 && state.turn.phase === 'idle' && inFlight(state.queue) === undefined ? 'finished' : 'died';
}

function showTrouble(draft: Draft, exit: Exit, reason: string): void {
  const words = exit.couldNotStart ?? (reason === 'died' ? exit.lastWords : undefined);
  if (words !== undefined && words !== '') draft.emit({ type: 'notice.shown', level: 'error', text: words });
}

/** From the last to the first, so that several that go back keep their order. */
function closeInputs(draft: Draft, exit: Exit, reason: string): void {
  const given = draft.state.queue.filter((input) => input.stage.at !== 'accepted');
  for (const input of given.toReversed()) closeInput(draft, input, exit, reason);
}

function closeInput(draft: Draft, input: Input, exit: Exit, reason: string): void {
  if (!wasTaken(draft.state, input, exit)) return giveBack(draft, input, reason);
  if (draft.state.turn.phase === 'idle') {
    draft.emit({ type: 'turn.started', turnId: `${exit.run}@${input.commandId}` as TurnId, cause: 'input', commandId: input.commandId });
  }
  markConsumed(draft, draft.now.inputId(input.commandId));
}

/** What a person interrupted is not sent again by itself. */
function giveBack(draft: Draft, { commandId, mode }: Input, reason: string): void {
  const wasInterrupted = reason === 'stuck' || (reason === 'stop' && draft.state.interrupt !== null);
  if (wasInterrupted && mode === 'queue') draft.emit({ type: 'input.cancelled', commandId, reason: 'interrupted before the agent received it' });
  else draft.emit({ type: 'input.returned', commandId, reason: 'the agent exited before it received this message' });
}

/** Evidence, in this order: what the agent printed, then what it wrote into its own memory. */
function wasTaken(state: SessionState, input: Input, exit: Exit): boolean {
  if (input.stage.at === 'consumed') return true;
  if (state.turn.phase === 'running' && state.turn.commandId === input.commandId) return true;
  const recalled = typeof exit.memory === 'string' ? exit.memory : exit.memory[input.commandId];
  return recalled === 'taken' || recalled === 'answered';
}

function closeTurn(draft: Draft): void {
  closeEverything(draft, 'the agent exited');
  const { turn } = draft.state;
  if (turn.phase !== 'running') return;
  const { turnId, commandId } = turn;
  draft.emit({
    type: 'turn.completed',
    turnId,
    stopReason: 'agent_exited',
    isError: true,
    interrupted: true,
    denials: 0,
    ...(commandId !== null && { commandId }),
  });
}
