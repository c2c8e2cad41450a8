import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asked,
  began,
  called,
  completed,
  created,
  FULL_TRACK_EVENTS,
  journalOf,
  NOON,
  resolved,
  returned,
  status,
  type TimedEvent,
} from '../../../test/support/domain/panel-samples.ts';
import type { Track } from '../../protocol/api/panel.ts';
import type { Event } from '../../protocol/event.ts';
import { activityOf } from './activity.ts';
import { foldMove, HORIZON_MS } from './fold.ts';
import { layoutOf } from './layout.ts';
import { momentAt, momentsOf } from './moments.ts';
import { moveOf } from './move.ts';
import { autoWindow } from './window.ts';

const movesOf = (events: readonly Event[]) => events.flatMap((event) => moveOf(event) ?? []);
const fold = (events: readonly Event[], from?: Track): Track | undefined => movesOf(events).reduce<Track | undefined>(foldMove, from);
const trackOf = (...timed: readonly TimedEvent[]): Track => fold(journalOf(...timed)) ?? expect.fail('nothing moved');
const at = (seconds: number): number => NOON + seconds * 1000;
const seconds = ({ from, to }: { readonly from: number; readonly to?: number | undefined }) => [
  (from - NOON) / 1000,
  to === undefined ? 'now' : (to - NOON) / 1000,
];

test('a journal folded at once, piece by piece and over the wire gives the same track', () => {
  const whole = fold(FULL_TRACK_EVENTS);
  const cuts = fc.array(fc.integer({ min: 0, max: FULL_TRACK_EVENTS.length }), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, (places) => {
      const ends = [...places.sort((a, b) => a - b), FULL_TRACK_EVENTS.length];
      const pieces = ends.map((end, index) => FULL_TRACK_EVENTS.slice(ends[index - 1] ?? 0, end));
      const carried = pieces.reduce<Track | undefined>((track, piece) => JSON.parse(JSON.stringify(fold(piece, track) ?? null)) ?? undefined, undefined);
      expect(carried).toEqual(whole);
    }),
  );
});

test('a repeated move changes nothing', () => {
  const whole = fold(FULL_TRACK_EVENTS);
  expect(movesOf(FULL_TRACK_EVENTS).reduce<Track | undefined>(foldMove, whole)).toBe(whole);
});

test('a turn is drawn as blocks with its calls as gaps, and stops where it waits for a person', () => {
  const { pieces, signals } = layoutOf(fold(FULL_TRACK_EVENTS.slice(0, 17)) ?? expect.fail());
  expect(pieces.map((piece) => [...seconds(piece), piece.calls.map(seconds)])).toEqual([
    [
      1,
      31,
      [
        [10, 21],
        [30, 31],
      ],
    ],
    [61, 80, [[61, 70]]],
  ]);
  expect(signals).toEqual([{ at: at(31), isOpen: false }]);
});

test('a running turn moves; a waiting one stands at its signal and says since when', () => {
  const running = trackOf([0, created()], [1, began()], [1, status('busy')]);
  expect(layoutOf(running)).toMatchObject({ train: { pace: 'live' }, pieces: [{ from: at(1), pace: 'live' }] });
  expect(activityOf(running)).toEqual({ what: 'running', since: at(1) });
  const waiting = trackOf([0, created()], [1, began()], [9, asked('q')], [9, status('waiting')]);
  expect(layoutOf(waiting)).toMatchObject({
    train: { pace: 'stands', at: at(9) },
    signals: [{ at: at(9), isOpen: true }],
    pieces: [{ to: at(9), pace: 'stands' }],
  });
  expect(activityOf(waiting)).toEqual({ what: 'waiting', since: at(9) });
});

test('a turn that took no time is still drawn', () => {
  const { pieces } = layoutOf(trackOf([0, created()], [1, began()], [1, asked('q')]));
  expect(pieces.map(seconds)).toEqual([[1, 1]]);
});

test('a sleeping session is on a siding, and after a failure there is no rail', () => {
  const layout = layoutOf(fold(FULL_TRACK_EVENTS) ?? expect.fail());
  expect(layout.rails.map(seconds)).toEqual([
    [0, 200],
    [300, 320],
  ]);
  expect(layout.sidings.map(seconds)).toEqual([[200, 300]]);
  expect(layout.buffers).toEqual([at(320)]);
  expect(layout.train).toBeUndefined();
});

test('the rail of a session that was read from the middle of a turn starts where its events do', () => {
  const track = fold(journalOf([0, created()], [1, began()], [50, called('a')], [60, returned('a')], [70, completed()]).slice(2));
  expect(layoutOf(track ?? expect.fail()).rails.map(seconds)).toEqual([[50, 'now']]);
  expect(track?.turns.map(seconds)).toEqual([[50, 70]]);
});

test('inherited events are not drawn on the line of a fork, and a fork knows its parent', () => {
  const inherited = journalOf([0, began()], [5, completed()]).map((event) => ({ ...event, inherited: true }));
  const track = fold([...inherited, ...journalOf([9, created('p1')]).map((event) => ({ ...event, seq: 3 }))]);
  expect(track).toMatchObject({ parent: 'p1', bornAt: at(9), turns: [] });
});

test('the last write of a to-do list shows its progress', () => {
  expect(fold(FULL_TRACK_EVENTS)?.todo).toEqual({ done: 1, total: 3 });
});

test('a track forgets what is older than the horizon, but nothing that is open', () => {
  const later = HORIZON_MS / 1000 + 100;
  const track = trackOf([0, created()], [1, began('a')], [5, completed()], [6, began('b')], [7, called('x')], [later, called('y')], [later, asked('q')]);
  expect(track.turns.map(({ seq }) => seq)).toEqual([4]);
  expect(track.calls.map(({ id }) => id)).toEqual(['x', 'y']);
});

test('however much an agent does, a track stays small', () => {
  const many = Array.from(
    { length: 3000 },
    (_, index) =>
      [
        [index * 2, called(`c${index}`)],
        [index * 2 + 1, returned(`c${index}`)],
      ] as const,
  ).flat();
  const track = trackOf([0, created()], [0, began()], ...many, [6001, resolved('none')]);
  expect(track.turns[0]?.calls).toBe(3000);
  expect(JSON.stringify(track).length).toBeLessThan(40_000);
});

test('pointing finds the topmost thing: a call in its turn, a signal over both', () => {
  const track = fold(FULL_TRACK_EVENTS) ?? expect.fail();
  const found = (second: number) => momentAt(track, at(second), 500);
  expect(found(5)).toMatchObject({ kind: 'turn', seq: 3, calls: 3 });
  expect(found(15)).toMatchObject({ kind: 'call', seq: 5, what: 'Running npm test' });
  expect(found(31)).toMatchObject({ kind: 'wait', seq: 10, what: 'wants to run npm test', how: 'allowed' });
  expect(found(72)).toMatchObject({ kind: 'compaction', seq: 15 });
  expect(found(250)).toMatchObject({ kind: 'rest', how: 'sleeping' });
  expect(found(130)).toBeUndefined();
  expect(momentsOf(track).map(({ from }) => from)).toEqual(
    momentsOf(track)
      .map(({ from }) => from)
      .toSorted((a, b) => a - b),
  );
});

test('the automatic window shows what moves from its start, and is not widened by anything older than the widest window', () => {
  const running = (minutes: number) => trackOf([-minutes * 60, began()]);
  expect(autoWindow([trackOf([-200, created()], [-100, began()])], NOON)).toBe(5 * 60_000);
  const cases = [
    [[], 15],
    [[running(3)], 15],
    [[running(3), running(40)], 60],
    [[running(200)], 240],
    [[running(3), running(2000)], 15],
  ] as const;
  for (const [tracks, minutes] of cases) expect(autoWindow(tracks, NOON)).toBe(minutes * 60_000);
});
