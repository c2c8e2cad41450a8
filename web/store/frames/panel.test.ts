import { expect, test } from 'vitest';
import { foldMove } from '../../../src/domain/panel/fold.ts';
import { moveOf } from '../../../src/domain/panel/move.ts';
import type { Move, Track } from '../../../src/protocol/api/panel.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import { FULL_TRACK_EVENTS, NOON } from '../../../test/support/domain/panel-samples.ts';
import { NO_PANEL, type PanelState } from '../state/panel-state.ts';
import { withAnswer, withMoves } from './panel.ts';

const s1 = 's1' as SessionId;
const moves = FULL_TRACK_EVENTS.flatMap((event) => moveOf(event) ?? []);
const fold = (some: readonly Move[]): Track => some.reduce<Track | undefined>(foldMove, undefined) ?? expect.fail();
const loading: PanelState = { ...NO_PANEL, phase: 'loading' };

test('nothing is stored for a panel that was never opened', () => {
  expect(withMoves(NO_PANEL, s1, moves)).toBe(NO_PANEL);
});

test('the track is the same, however many of the moves received meanwhile are already in the answer', () => {
  for (const asked of [1, 5, 9]) {
    for (const answered of [asked, 9, moves.length]) {
      const received = withMoves(loading, s1, moves.slice(asked));
      const panel = withAnswer(received, { now: NOON, tracks: [{ sessionId: s1, track: fold(moves.slice(0, answered)) }] }, NOON);
      expect(panel.tracks.get(s1)).toEqual(fold(moves));
      expect(panel).toMatchObject({ phase: 'known', received: [] });
    }
  }
});

test("the panel uses the server's clock, and a slow answer is not taken for a clock difference", () => {
  const at = (panel: PanelState, now: number) => withAnswer(panel, { now, tracks: [] }, NOON);
  expect(at(loading, NOON - 900).aheadMs).toBe(0);
  const ahead = at(loading, NOON + 60_000);
  expect(ahead.aheadMs).toBe(60_000);
  expect(at(ahead, NOON + 59_200).aheadMs).toBe(60_000);
});
