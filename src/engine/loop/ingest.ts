import { type Decision, type DecisionContext, Draft } from '../../domain/session/draft.ts';
import { type Decidable, observe } from '../../domain/session/observations.ts';
import type { SessionState } from '../../domain/session/state.ts';
import type { LineBatch } from '../../host/host.ts';
import type { Journal } from '../../journal/journal.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import type { ObservedLine, RunReader } from './run-reader.ts';
import { withSavedOutput } from './saved-output.ts';
import { prepareObservation } from './store-blobs.ts';

export interface Ingested {
  /** Undefined when there is nothing to store. */
  readonly decision: Decision | undefined;
  readonly replies: readonly string[];
  /** Items whose text in progress was discarded. */
  readonly dropped: readonly string[];
  /** Our requests that the agent answered. */
  readonly answered: readonly string[];
}

/** Lets the adapter read a batch of lines: text in progress goes to the run's partial text, everything else into one decision. */
export function ingest(run: RunReader, state: SessionState, batch: LineBatch, now: () => DecisionContext, blobs: Pick<Journal, 'putBlob' | 'blob'>): Ingested {
  const replies: string[] = [];
  const dropped: string[] = [];
  const answered: string[] = [];
  let draft: Draft | undefined;
  const observeLine = (observed: ObservedLine): void => {
    const { observation } = observed;
    if (observation.type === 'delta') return run.partial.add(observation);
    if (observation.type === 'delta.dropped') {
      if (run.partial.drop(observation.itemId)) dropped.push(observation.itemId);
      return;
    }
    if (observation.type === 'reply') answered.push(observation.to);
    draft ??= new Draft(state, now());
    draft.now = { ...draft.now, src: { run: run.ref.run, byte: observed.byte } };
    const before = draft.events.length;
    observe(draft, run.ref.run, observed.byte, prepared(blobs, observed, observation));
    forgetFinished(run, draft, before, dropped);
  };
  run.ingest(batch, observeLine, (line) => replies.push(line));
  return { decision: concluded(draft, replies, state, now), replies, dropped, answered };
}

function concluded(draft: Draft | undefined, replies: readonly string[], state: SessionState, now: () => DecisionContext): Decision | undefined {
  const concluding = draft ?? (replies.length > 0 ? new Draft(state, now()) : undefined);
  concluding?.settle();
  return concluding !== undefined && (concluding.events.length > 0 || replies.length > 0) ? concluding.done() : undefined;
}

function prepared(blobs: Pick<Journal, 'putBlob' | 'blob'>, observed: ObservedLine, observation: Decidable): Decidable {
  if (!isKept(observation)) return observation;
  const mayBeLong = observed.lineChars > LIMITS.inlineBytes / 3 || 'rawImages' in observation || 'outputFile' in observation;
  return mayBeLong ? prepareObservation(blobs, withSavedOutput(observation)) : observation;
}

function isKept(observation: Decidable): observation is KeptObservation {
  switch (observation.type) {
    case 'agent.ready':
    case 'reply':
    case 'turn.began':
    case 'turn.ended':
    case 'input.taken':
    case 'input.dropped':
    case 'permission.asked':
    case 'permission.withdrawn':
    case 'tool.called':
      return false;
    default:
      return true;
  }
}

/** Text in progress ends when its item is stored or when the turn is over. */
function forgetFinished(run: RunReader, draft: Draft, from: number, dropped: string[]): void {
  for (const event of draft.events.slice(from)) {
    if (event.type === 'turn.completed') dropped.push(...run.partial.clear());
    else if (event.itemId !== undefined) run.partial.drop(event.itemId);
  }
}
