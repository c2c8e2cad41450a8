import type { RunId, TurnId } from '../../protocol/ids.ts';
import { inFlight } from '../queue/queue.ts';
import { type Circumstances, type Decision, Draft } from './draft.ts';
import { drive } from './drive.ts';
import { closeOpen, markConsumed } from './observations.ts';
import type { Input, SessionState } from './state.ts';
import { restAfter, waitsForPlace } from './status.ts';

/** What is known when a process has gone and everything it printed has been read. */
export interface Exit {
  readonly run: RunId;
  readonly code: number | null;
  readonly signal: string | null;
  /** Set when the run never came to life. */
  readonly couldNotStart?: string;
  /** What the agent's own memory says about the message that was on its way. */
  readonly memory: 'absent' | 'taken' | 'answered' | 'unknown';
}

/**
 * The policy for a process that is gone, whoever ended it:
 * - a message the agent never took goes back to the head of the queue and is sent again, under the same id;
 * - a message it took is closed with its turn as interrupted, and is never sent again by itself;
 * - requests lapse, tools are closed; what still waits in the queue goes on in a new run, unless a person stopped the session or the agent keeps dying.
 */
export function decideExit(state: SessionState, exit: Exit, now: Circumstances): Decision {
  const draft = new Draft(state, now);
  if (state.run.phase === 'none' || state.run.run !== exit.run) return draft.done();
  const reason = reasonOf(state, exit);
  closeInput(draft, exit);
  closeTurn(draft);
  draft.emit({ type: 'session.exited', run: exit.run, code: exit.code, signal: exit.signal, reason });
  if (exit.couldNotStart !== undefined) draft.emit({ type: 'notice.shown', level: 'error', text: exit.couldNotStart });
  if (reason !== 'stop' && reason !== 'could-not-start') drive(draft, 'session.exited');
  if (draft.state.run.phase === 'none' && !waitsForPlace(draft.state)) draft.show(restAfter(reason), 'session.exited');
  draft.settle();
  return draft.done();
}

function reasonOf(state: SessionState, exit: Exit): string {
  if (state.run.phase === 'ending') return state.run.reason;
  if (exit.couldNotStart !== undefined) return 'could-not-start';
  return exit.code === 0 && state.turn.phase === 'idle' && inFlight(state.queue) === undefined ? 'finished' : 'died';
}

function closeInput(draft: Draft, exit: Exit): void {
  const input = inFlight(draft.state.queue);
  if (input === undefined) return;
  if (!wasTaken(draft.state, input, exit)) {
    draft.emit({ type: 'input.returned', commandId: input.commandId, reason: 'the agent was gone before it took this message' });
    return;
  }
  if (draft.state.turn.phase === 'idle') {
    draft.emit({ type: 'turn.started', turnId: `${exit.run}@${input.commandId}` as TurnId, cause: 'input', commandId: input.commandId });
  }
  markConsumed(draft, draft.now.inputId(input.commandId));
}

/** Evidence, in this order: what the agent printed, then what it wrote into its own memory. */
function wasTaken(state: SessionState, input: Input, exit: Exit): boolean {
  if (input.stage.at === 'consumed') return true;
  if (state.turn.phase === 'running' && state.turn.commandId === input.commandId) return true;
  return exit.memory === 'taken' || exit.memory === 'answered';
}

function closeTurn(draft: Draft): void {
  closeOpen(draft, 'lapsed', 'the agent is gone');
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
