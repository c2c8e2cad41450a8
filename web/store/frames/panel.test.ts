import { expect, test } from 'vitest';
import { foldMove } from '../../../src/domain/panel/fold.ts';
import { moveOf } from '../../../src/domain/panel/move.ts';
import { EVENTFUL, NOON } from '../../../src/domain/panel/samples.ts';
import type { Move, Track } from '../../../src/protocol/api/panel.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import { NO_PANEL, type PanelState, withAnswer, withMoves } from './panel.ts';

const s1 = 's1' as SessionId;
const moves = EVENTFUL.flatMap((event) => moveOf(event) ?? []);
const fold = (some: readonly Move[]): Track => some.reduce<Track | undefined>(foldMove, undefined) ?? expect.fail();
const asking: PanelState = { ...NO_PANEL, phase: 'asking' };

test('nothing is kept of a panel that nobody looked at', () => {
  expect(withMoves(NO_PANEL, s1, moves)).toBe(NO_PANEL);
});

test('whatever the answer already knew of what was heard on the way, the track is the same', () => {
  for (const asked of [1, 5, 9]) {
    for (const answered of [asked, 9, moves.length]) {
      const heard = withMoves(asking, s1, moves.slice(asked));
      const panel = withAnswer(heard, { now: NOON, tracks: [{ sessionId: s1, track: fold(moves.slice(0, answered)) }] }, NOON);
      expect(panel.tracks.get(s1)).toEqual(fold(moves));
      expect(panel).toMatchObject({ phase: 'known', heard: [] });
    }
  }
});

test("the picture is drawn by the server's clock, and a slow answer is not taken for another clock", () => {
  const at = (panel: PanelState, now: number) => withAnswer(panel, { now, tracks: [] }, NOON);
  expect(at(asking, NOON - 900).aheadMs).toBe(0);
  const ahead = at(asking, NOON + 60_000);
  expect(ahead.aheadMs).toBe(60_000);
  expect(at(ahead, NOON + 59_200).aheadMs).toBe(60_000);
});
