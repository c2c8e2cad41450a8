import { foldMove } from '../../../src/domain/panel/fold.ts';
import type { Move, PanelAnswer, Track } from '../../../src/protocol/api/panel.ts';
import type { Desk } from '../cockpit.ts';
import { wordsOf } from '../sessions/steering.ts';

interface Moved {
  readonly sessionId: string;
  readonly moves: readonly Move[];
}

export interface PanelState {
  /** `unasked` until somebody looks at the panel: before that nothing of it is kept. */
  readonly phase: 'unasked' | 'asking' | 'known' | 'failed';
  /** How often it was asked for: only the last answer counts. */
  readonly asked: number;
  /** By session. */
  readonly tracks: ReadonlyMap<string, Track>;
  /** Heard while the answer was on its way: the answer may be older. */
  readonly heard: readonly Moved[];
  /** By how much the server's clock, by which all of this is told, is ahead of ours. */
  readonly aheadMs: number;
  /** Why what was before could not be asked for. */
  readonly problem: string;
}

export const NO_PANEL: PanelState = { phase: 'unasked', asked: 0, tracks: new Map(), heard: [], aheadMs: 0, problem: '' };

export function withMoves(panel: PanelState, sessionId: string, moves: readonly Move[]): PanelState {
  if (panel.phase === 'unasked') return panel;
  const tracks = new Map(panel.tracks);
  const track = moves.reduce<Track | undefined>(foldMove, tracks.get(sessionId));
  if (track !== undefined) tracks.set(sessionId, track);
  return { ...panel, tracks, heard: panel.phase === 'asking' ? [...panel.heard, { sessionId, moves }] : panel.heard };
}

/** The answer, and what was heard since it was asked for on top of it; a move that it has already counts once. */
export function withAnswer(panel: PanelState, answer: PanelAnswer, now: number): PanelState {
  const told: PanelState = {
    ...NO_PANEL,
    phase: 'known',
    asked: panel.asked,
    tracks: new Map(answer.tracks.map(({ sessionId, track }) => [sessionId, track])),
    aheadMs: steady(panel, answer.now - now),
  };
  return panel.heard.reduce((state, { sessionId, moves }) => withMoves(state, sessionId, moves), told);
}

/** An answer takes a moment to come: smaller differences of the clocks are not told from that, and would only make the picture jump. */
const SAME_CLOCK_MS = 1500;
const steady = ({ aheadMs }: PanelState, told: number): number =>
  Math.abs(told - aheadMs) < SAME_CLOCK_MS ? aheadMs : Math.abs(told) < SAME_CLOCK_MS ? 0 : told;

export async function loadPanel({ store, options }: Desk): Promise<void> {
  const change = (by: (panel: PanelState) => PanelState) => store.setState((state) => ({ panel: by(state.panel) }));
  change((panel) => ({ ...panel, phase: 'asking', asked: panel.asked + 1, heard: [] }));
  const { asked } = store.getState().panel;
  const ifLast = (by: (panel: PanelState) => PanelState) => change((panel) => (panel.asked === asked ? by(panel) : panel));
  await options.api.panel().then(
    (answer) => ifLast((panel) => withAnswer(panel, answer, options.now())),
    (error: unknown) => ifLast((panel) => ({ ...panel, phase: 'failed', heard: [], problem: wordsOf(error) })),
  );
}

/** After a new connection, or when too much was told at once: what was missed is in the answer. */
export function loadPanelAgain(desk: Desk): void {
  if (desk.store.getState().panel.phase !== 'unasked') void loadPanel(desk);
}
