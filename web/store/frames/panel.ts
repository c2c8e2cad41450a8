import { foldMove } from '../../../src/domain/panel/fold.ts';
import type { Move, PanelAnswer, Track } from '../../../src/protocol/api/panel.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { NO_PANEL, type PanelState } from '../state/panel-state.ts';
import type { StoreContext } from '../state/store-context.ts';

export function withMoves(panel: PanelState, sessionId: string, moves: readonly Move[]): PanelState {
  if (panel.phase === 'unopened') return panel;
  const tracks = new Map(panel.tracks);
  const track = moves.reduce<Track | undefined>(foldMove, tracks.get(sessionId));
  if (track !== undefined) tracks.set(sessionId, track);
  return { ...panel, tracks, received: panel.phase === 'loading' ? [...panel.received, { sessionId, moves }] : panel.received };
}

/** The answer plus the moves that arrived since the request; a move in both counts once. */
export function withAnswer(panel: PanelState, answer: PanelAnswer, now: number): PanelState {
  const answered: PanelState = {
    ...NO_PANEL,
    phase: 'known',
    requestCount: panel.requestCount,
    tracks: new Map(answer.tracks.map(({ sessionId, track }) => [sessionId, track])),
    aheadMs: steady(panel, answer.now - now),
  };
  return panel.received.reduce((state, { sessionId, moves }) => withMoves(state, sessionId, moves), answered);
}

/** Smaller clock differences can't be reportedMs from the delay of the answer, and would make the panel jump. */
const SAME_CLOCK_MS = 1500;
const steady = ({ aheadMs }: PanelState, reportedMs: number): number =>
  Math.abs(reportedMs - aheadMs) < SAME_CLOCK_MS ? aheadMs : Math.abs(reportedMs) < SAME_CLOCK_MS ? 0 : reportedMs;

export async function loadPanel({ store, options }: StoreContext): Promise<void> {
  const change = (by: (panel: PanelState) => PanelState) => store.setState((state) => ({ panel: by(state.panel) }));
  change((panel) => ({ ...panel, phase: 'loading', requestCount: panel.requestCount + 1, received: [] }));
  const { requestCount } = store.getState().panel;
  const ifLast = (by: (panel: PanelState) => PanelState) => change((panel) => (panel.requestCount === requestCount ? by(panel) : panel));
  await options.api.panel().then(
    (answer) => ifLast((panel) => withAnswer(panel, answer, options.now())),
    (error: unknown) => ifLast((panel) => ({ ...panel, phase: 'failed', received: [], problem: messageOf(error) })),
  );
}

/** After a new connection or an overflow: the answer has what was missed. */
export function loadPanelAgain(context: StoreContext): void {
  if (context.store.getState().panel.phase !== 'unopened') void loadPanel(context);
}
