import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { foldMove } from '../../../../src/domain/panel/fold.ts';
import { moveOf } from '../../../../src/domain/panel/move.ts';
import { newsOf } from '../../../../src/domain/plan/news.ts';
import type { Track } from '../../../../src/protocol/api/panel.ts';
import type { Event } from '../../../../src/protocol/event.ts';
import { asked, began, created, FULL_TRACK_EVENTS, journalOf, NOON } from '../../../../test/support/domain/panel-samples.ts';
import { samplePlan, sampleStep } from '../../../../test/support/plans/sample-plan.ts';
import { sessionOf } from '../../../../test/support/replay/sample-sessions.ts';
import { baseTime, shiftAt, timeAt, xOf } from '../../../parts/track/scale.ts';
import { pathsOf } from '../../../parts/track/track-paths.ts';
import { describeMoment } from './describe-moment.ts';
import { type Line, linesOf } from './lines.ts';
import { moveCursor } from './move-cursor.ts';
import { rowsFor } from './rows.ts';
import { timeMarks } from './time-marks.ts';
import { TrackDiagram } from './track-diagram.tsx';

const WINDOW = 15 * 60_000;
const now = NOON + 400_000;
const scale = { base: baseTime(now), windowMs: WINDOW, width: 900 };
const fold = (events: readonly Event[], from?: Track): Track =>
  events.flatMap((event) => moveOf(event) ?? []).reduce<Track | undefined>(foldMove, from) ?? expect.fail('nothing moved');

const parent = sessionOf({ id: 'parent', title: 'Parent', createdAt: '2026-11-15T12:00:00.000Z' });
const fork = sessionOf({ id: 'fork', title: 'Fork', createdAt: '2026-11-15T12:05:00.000Z', parent: { sessionId: 'parent', seq: 1 } });
const other = sessionOf({ id: 'other', title: 'Other', status: 'waiting', waiting: 1, createdAt: '2026-11-15T12:02:00.000Z' });
const forked = journalOf([310, created('parent')], [320, began()]);
const waitingEvents = journalOf([120, created()], [121, began()], [180, asked('q')]);
const tracks = (parentTrack: Track) =>
  new Map([
    ['parent', parentTrack],
    ['fork', fold(forked)],
    ['other', fold(waitingEvents)],
  ]);
const linesWith = (parentTrack: Track): readonly Line[] => linesOf([parent, fork, other], tracks(parentTrack), now - WINDOW);
const drawn = (lines: readonly Line[], at = now): string =>
  renderToStaticMarkup(
    <TrackDiagram lines={lines} scale={{ ...scale, base: baseTime(at) }} rows={rowsFor(false, lines.length)} now={at} pixelRatio={1} marks={[0, 1]} />,
  );

test('[R244] the same journal and the same clock draw the same picture, whether folded at once or event by event', () => {
  const whole = fold(FULL_TRACK_EVENTS);
  const stepwise: Track =
    FULL_TRACK_EVENTS.reduce<Track | undefined>((track, event) => {
      const next = fold([event], track ?? fold(FULL_TRACK_EVENTS.slice(0, 1)));
      return JSON.parse(JSON.stringify(next));
    }, undefined) ?? expect.fail();
  expect(drawn(linesWith(stepwise))).toBe(drawn(linesWith(whole)));
  expect(drawn(linesWith(whole))).toBe(drawn(linesWith(whole)));
  for (const part of ['rails', 'siding', 'points', 'blocks live', 'blocks stands', 'blocks past', 'signals', 'passed', 'buffers', 'compactions']) {
    expect(drawn(linesWith(whole))).toMatch(new RegExp(`class="${part}" d="M`));
  }
});

test('passing time moves the picture without a redraw', () => {
  const lines = linesWith(fold(FULL_TRACK_EVENTS));
  const withoutOffset = (picture: string) => picture.replace(/translate\(-?[\d.]+ 0\)/, 'translate(now)');
  expect(drawn(lines, now + 60_000)).not.toBe(drawn(lines));
  expect(withoutOffset(drawn(lines, now + 60_000))).toBe(withoutOffset(drawn(lines)));
});

test('a moment is drawn where the pointer finds it', () => {
  for (const at of [now, now - 100_000, now - WINDOW]) {
    const x = xOf(scale, at) + shiftAt(scale, now, 1);
    expect(Math.abs(timeAt(scale, x, now) - at)).toBeLessThan(WINDOW / 900);
  }
});

test('activity never reorders lines: newest first, and a fork below its parent', () => {
  const order = (lines: readonly Line[]) => lines.map(({ id }) => id);
  const lines = linesWith(fold(FULL_TRACK_EVENTS));
  expect(order(lines)).toEqual(['other', 'parent', 'fork']);
  expect(lines[2]?.parentAt).toBe(1);
  const busy = linesOf([{ ...parent, status: 'busy', updatedAt: '2026-11-15T13:00:00.000Z' }, other, fork], tracks(fold(FULL_TRACK_EVENTS)), now - WINDOW);
  expect(order(busy)).toEqual(order(lines));
});

test('a session without a process and without activity in the window leaves the panel; a waiting one stays', () => {
  const asleep = sessionOf({ id: 'parent', title: 'Parent', status: 'sleeping', control: 'none' });
  const later = NOON + 10 * WINDOW;
  const lines = linesOf([asleep, other], tracks(fold(FULL_TRACK_EVENTS)), later);
  expect(lines.map(({ id }) => id)).toEqual(['other']);
});

test('calls too short to see are drawn as cuts, and cuts that would touch are left out', () => {
  const calls = (count: number, forMs: number) =>
    Array.from({ length: count }, (_, index) => ({ seq: index + 2, id: `${index}`, what: 'x', from: NOON + index * 1000, to: NOON + index * 1000 + forMs }));
  const track = (count: number): Track => ({ ...fold(journalOf([0, began()])), calls: calls(count, 10) });
  const cuts = (count: number) => pathsOf(track(count), scale).calls.live.match(/M/g)?.length ?? 0;
  expect(cuts(1)).toBe(0);
  expect(cuts(30)).toBeGreaterThan(4);
  expect(cuts(30)).toBeLessThan(12);
});

test('keys move in time on one line, and across to the same time on the next', () => {
  const lines = linesWith(fold(FULL_TRACK_EVENTS));
  const since = now - WINDOW;
  const start = moveCursor(lines, undefined, 'End', since);
  expect(start).toMatchObject({ sessionId: 'other', moment: { kind: 'wait' } });
  expect(moveCursor(lines, start, 'ArrowLeft', since)).toMatchObject({ sessionId: 'other', moment: { kind: 'turn' } });
  expect(moveCursor(lines, start, 'ArrowRight', since)).toBe(start);
  expect(moveCursor(lines, start, 'ArrowUp', since)).toBe(start);
  const below = moveCursor(lines, start, 'ArrowDown', since);
  expect(below).toMatchObject({ sessionId: 'parent', moment: { kind: 'rest', from: NOON + 200_000 } });
  expect(moveCursor(lines, below, 'Home', since)).toMatchObject({ moment: { from: NOON + 1000 } });
});

test('a moment has a description: what it was, when and for how long', () => {
  const words = (second: number, kind: string) => {
    const moment = walkTo(second, kind);
    return Object.values(describeMoment(moment, now)).map((text: string) => text.replace(/\d\d:\d\d/, 'hh:mm'));
  };
  const walkTo = (second: number, kind: string) => {
    let place = moveCursor(linesWith(fold(FULL_TRACK_EVENTS)).slice(1, 2), undefined, 'End', 0);
    place = moveCursor(linesWith(fold(FULL_TRACK_EVENTS)).slice(1, 2), place, 'Home', 0);
    for (let steps = 0; steps < 20 && !(place?.moment.from === NOON + second * 1000 && place.moment.kind === kind); steps++) {
      place = moveCursor(linesWith(fold(FULL_TRACK_EVENTS)).slice(1, 2), place, 'ArrowRight', 0);
    }
    return place?.moment ?? expect.fail();
  };
  expect(words(1, 'turn')).toEqual(['Turn', 'hh:mm, 1 min 19 s, 3 calls']);
  expect(words(30, 'call')).toEqual(['Running npm test', 'hh:mm, 40 s, failed']);
  expect(words(31, 'wait')).toEqual(['wants to run npm test', 'hh:mm, allowed after 30 s']);
  expect(words(72, 'compaction')).toEqual(['Context compacted', 'hh:mm, from 150k to 30k tokens']);
  expect(words(301, 'turn')).toEqual(['Failed: overloaded', 'hh:mm, 19 s']);
});

test('the axis counts back from now', () => {
  expect(timeMarks(WINDOW, 'now').map(({ label }) => label)).toEqual(['15 min ago', '10', '5', 'now']);
  expect(timeMarks(4 * WINDOW, 'now').map(({ label }) => label)).toEqual(['1 h ago', '45', '30', '15', 'now']);
  expect(timeMarks(16 * WINDOW, 'last update').map(({ label }) => label)).toEqual(['4 h ago', '3 h', '2 h', '1 h', 'last update']);
});

test('[R672] a plan is a route, and the sessions of its steps branch off from it in the order in which they started', () => {
  const plan = newsOf(samplePlan([sampleStep('one'), sampleStep('two', ['one'])], { status: 'running', createdAt: '2026-11-15T12:00:00.000Z' }));
  const ofPlan = (id: string, createdAt: string) => sessionOf({ id, title: id, status: 'busy', createdAt, plan: { planId: plan.id, nodeId: id } });
  const sessions = [ofPlan('two', '2026-11-15T12:04:00.000Z'), other, ofPlan('one', '2026-11-15T12:01:00.000Z')];
  const lines = linesOf(sessions, new Map(), 0, new Map([[plan.id, plan]]));
  expect(lines.map(({ id }) => id)).toEqual([`_plan-${plan.id}`, 'one', 'two', 'other']);
  expect(lines.map(({ parentAt }) => parentAt)).toEqual([undefined, 0, 0, undefined]);
  // Without news of the plan its sessions are drawn as any others.
  expect(linesOf(sessions, new Map(), 0).map(({ id }) => id)).toEqual(['two', 'other', 'one']);
});
