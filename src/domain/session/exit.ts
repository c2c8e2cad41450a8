import type { CommandId, RunId, TurnId } from '../../protocol/ids.ts';
import { inFlight } from '../queue/queue.ts';
import { AGENT_GONE, AGENT_STOPPED } from '../transcript/outcomes.ts';
import { advance, openRunOrJoinLine } from './advance.ts';
import { closeEverything } from './close.ts';
import { type Decision, type DecisionContext, Draft } from './draft.ts';
import { abandonSummary } from './handover.ts';
import { markConsumed } from './observations.ts';
import type { Input, SessionState } from './state.ts';
import { restAfter, waitsForSlot } from './status.ts';

/** What is known once a process is gone and everything it printed has been read. */
export interface Exit {
  readonly run: RunId;
  readonly code: number | null;
  readonly signal: string | null;
  /** Set if the process could not be started. */
  readonly couldNotStart?: string;
  /** The run was decided, but the server crashed before starting it: not the agent's fault. */
  readonly neverBegan?: true;
  /** It ended while no server was running. */
  readonly foundAtStart?: boolean;
  /** The last thing it printed on stderr; shown if it crashed. */
  readonly lastWords?: string;
  /** What the agent file says about the messages in flight: for each, or for all of them. */
  readonly memory: RecordedDelivery | Readonly<Record<CommandId, RecordedDelivery>>;
}

export type RecordedDelivery = 'absent' | 'taken' | 'answered' | 'unknown';

/**
 * The policy for a process that is gone, however it ended:
 * - a message the agent never took goes back to the head of the queue and is sent again, under the same id;
 * - a message it took is closed with its turn as interrupted, and is never sent again automatically;
 * - requests lapse, tools are closed; queued messages continue in a new run, unless the agent keeps crashing, or a person stopped the session
 *   and nobody has sent a message since.
 */
export function decideExit(state: SessionState, exit: Exit, now: DecisionContext): Decision {
  const draft = new Draft(state, now);
  if (state.run.phase === 'none' || state.run.run !== exit.run) return draft.done();
  const reason = reasonOf(state, exit);
  const shouldContinue = reason !== 'stop' || hasMessageSince(state);
  closeInputs(draft, exit, reason);
  closeTurn(draft, reason);
  draft.emit({
    type: 'session.exited',
    run: exit.run,
    code: exit.code,
    signal: exit.signal,
    reason,
    ...(exit.foundAtStart === true && { foundAtStart: true }),
  });
  showProblem(draft, exit, reason);
  if (reason !== 'handover' && reason !== 'never-began') abandonSummary(draft);
  if (shouldContinue) continueAfter(draft, reason);
  // A session that was stopped and then got a message sleeps while another program keeps it from starting, and wakes when that one is gone.
  const rest = reason === 'stop' && shouldContinue ? 'sleeping' : restAfter(reason, state.turnFailed);
  const isStillFailed = rest === 'failed' && state.status.status === 'failed' && reason === 'sleep';
  if (draft.state.run.phase === 'none' && !waitsForSlot(draft.state) && !isStillFailed) draft.show(rest, 'session.exited');
  draft.settle();
  return draft.done();
}

/** A stuck agent gets a new process at once if nobody waits for its slot, one that was asked to start again also if somebody does; others when a message is queued. */
function continueAfter(draft: Draft, reason: string): void {
  if (reason === 'could-not-start' || draft.state.deleted) return;
  const again = reason === 'restart' || (reason === 'stuck' && draft.now.hasFreeSlot);
  if (again && draft.state.driver === null) openRunOrJoinLine(draft, 'session.exited');
  advance(draft, 'session.exited');
}

/** Somebody sent a message after the stop and has not cancelled it. */
const hasMessageSince = ({ run, queue }: SessionState): boolean =>
  run.phase === 'ending' && (run.since ?? []).some((commandId) => queue.some((input) => input.commandId === commandId));

function reasonOf(state: SessionState, exit: Exit): string {
  if (state.run.phase === 'ending') return state.run.reason;
  if (exit.couldNotStart !== undefined) return 'could-not-start';
  if (exit.neverBegan) return 'never-began';
  return exit.code === 0 && state.turn.phase === 'idle' && inFlight(state.queue) === undefined ? 'finished' : 'died';
}

const CRASHES: ReadonlySet<string> = new Set(['died', 'could-not-start', 'never-began']);

function showProblem(draft: Draft, exit: Exit, reason: string): void {
  const words = exit.couldNotStart ?? (reason === 'died' ? exit.lastWords : undefined);
  if (words !== undefined && words !== '') draft.emit({ type: 'notice.shown', level: 'error', text: words });
}

/** From last to first, so that several returned messages keep their order. */
function closeInputs(draft: Draft, exit: Exit, reason: string): void {
  const given = draft.state.queue.filter((input) => input.stage.at !== 'accepted');
  for (const input of given.toReversed()) closeInput(draft, input, exit, reason);
}

function closeInput(draft: Draft, input: Input, exit: Exit, reason: string): void {
  if (!wasTaken(draft.state, input, exit)) return returnInput(draft, input, reason);
  if (draft.state.turn.phase === 'idle') {
    draft.emit({ type: 'turn.started', turnId: `${exit.run}@${input.commandId}` as TurnId, cause: 'input', commandId: input.commandId });
  }
  markConsumed(draft, draft.now.inputId(input.commandId));
}

/** A message that a person interrupted is not sent again automatically. */
function returnInput(draft: Draft, { commandId, mode }: Input, reason: string): void {
  const wasInterrupted = reason === 'stuck' || (reason === 'stop' && draft.state.interrupt !== null);
  if (wasInterrupted && mode === 'queue') draft.emit({ type: 'input.cancelled', commandId, reason: 'interrupted before the agent received it' });
  else draft.emit({ type: 'input.returned', commandId, reason: 'the agent exited before it received this message' });
}

/** Evidence, in this order: what the agent printed, then what it wrote to its own file. */
function wasTaken(state: SessionState, input: Input, exit: Exit): boolean {
  if (input.stage.at === 'consumed') return true;
  if (state.turn.phase === 'running' && state.turn.commandId === input.commandId) return true;
  const recalled = typeof exit.memory === 'string' ? exit.memory : exit.memory[input.commandId];
  return recalled === 'taken' || recalled === 'answered';
}

/** A turn that somebody ended did not fail. */
function closeTurn(draft: Draft, reason: string): void {
  closeEverything(draft, 'the agent exited');
  const { turn } = draft.state;
  if (turn.phase !== 'running') return;
  const { turnId, commandId } = turn;
  draft.emit({
    type: 'turn.completed',
    turnId,
    stopReason: CRASHES.has(reason) ? AGENT_GONE : AGENT_STOPPED,
    isError: CRASHES.has(reason) || reason === 'disk',
    interrupted: true,
    denials: 0,
    ...(commandId !== null && { commandId }),
  });
}
