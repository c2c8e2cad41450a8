import { expect, test } from 'vitest';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import { Event } from '../../../src/protocol/event.ts';
import { seeded } from '../../../test/support/seeded.ts';
import type { OpenSession } from '../state/app-state.ts';
import { shownOf } from '../state/app-state.ts';
import { AROUND, loadedBelow, PAGE, windowAround, withNewer, withOlder } from './window.ts';

const LAST = 10_000;
const event = (seq: number): Event => Event.parse({ type: 'notice.shown', seq, at: '2026-01-01T00:00:00.000Z', level: 'info', text: `${seq}` });
const range = (from: number, to: number): readonly Event[] => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => event(from + at));
const before = (seq: number, limit: number) => range(Math.max(1, seq - limit), seq - 1);
const after = (seq: number, limit: number) => range(seq + 1, Math.min(LAST, seq + limit));
const atEnd = (events = 200): OpenSession => ({ transcript: openTranscript(range(LAST - events + 1, LAST)), older: 'idle', jumps: 0 });
const showEvent = (opened: OpenSession, seq: number) => windowAround(opened, before(seq + 1, AROUND), after(seq, AROUND));
const seqs = (opened: OpenSession) => shownOf(opened).events.map(({ seq }) => seq);
const hasNoGap = (opened: OpenSession) => seqs(opened).every((seq, at, all) => at === 0 || seq === (all[at - 1] ?? 0) + 1);

function newer(opened: OpenSession): OpenSession {
  return withNewer(opened, loadedBelow(opened) ?? after(shownOf(opened).lastSeq, PAGE));
}

test('a window around an event far from the end leaves the end unchanged', () => {
  const opened = showEvent(atEnd(), 5000);
  expect(seqs(opened)).toEqual(range(5001 - AROUND, 5000 + AROUND).map(({ seq }) => seq));
  expect(opened.transcript.lastSeq).toBe(LAST);
  expect(opened.away).toMatchObject({ older: 'idle', newer: 'idle' });
});

test('a window that reaches the end merges with it', () => {
  const opened = showEvent(atEnd(), LAST - 250);
  expect(opened.away).toBeUndefined();
  expect(hasNoGap(opened)).toBe(true);
  expect(opened.transcript.lastSeq).toBe(LAST);
});

test('scrolling down from any event reaches the end without a gap, however far', () => {
  let opened = showEvent(atEnd(), 2000);
  for (let pages = 0; opened.away !== undefined && pages < 100; pages++) opened = newer(opened);
  expect(opened.away).toBeUndefined();
  expect(hasNoGap(opened)).toBe(true);
  expect(opened.transcript.lastSeq).toBe(LAST);
});

test('scrolling up from the end reaches the first event, and the number of folded events stays bounded', () => {
  let opened = atEnd();
  let max = 0;
  for (let pages = 0; shownOf(opened).firstSeq > 1 && pages < 100; pages++) {
    opened = withOlder(opened, before(shownOf(opened).firstSeq, PAGE));
    max = Math.max(max, shownOf(opened).events.length);
  }
  expect(seqs(opened)[0]).toBe(1);
  expect(hasNoGap(opened)).toBe(true);
  expect(max).toBeLessThanOrEqual(3000);
  expect(opened.transcript.lastSeq).toBe(LAST);
});

test('the start is known when the server has no older events', () => {
  const opened = withOlder(showEvent(atEnd(), 5000), []);
  expect(opened.away?.older).toBe('none');
});

test('another branch never merges with the end', () => {
  const opened = windowAround(atEnd(), range(100, 300), [], 2);
  expect(opened.away).toMatchObject({ branch: 2, newer: 'none' });
  expect(withOlder(opened, range(50, 99)).away).toMatchObject({ branch: 2, newer: 'none' });
});

test('[R234] moving in any direction never makes a gap or a repeat', () => {
  const seed = 20261115;
  const { pick, int } = walkOf(seed);
  let opened = atEnd(2900);
  for (let step = 0; step < 300; step++) {
    const move = pick(['up', 'down', 'down', 'jump'] as const);
    if (move === 'up') opened = withOlder(opened, before(shownOf(opened).firstSeq, PAGE));
    if (move === 'down' && opened.away !== undefined) opened = newer(opened);
    if (move === 'jump' && step % 7 === 0) opened = showEvent(opened, 1 + int(LAST - 1));
    expect(hasNoGap(opened), `seed ${seed}, step ${step}, ${move}`).toBe(true);
    expect(opened.transcript.lastSeq).toBe(LAST);
  }
});

function walkOf(seed: number) {
  const random = seeded(seed);
  const int = (below: number) => Math.floor(random() * below);
  return { int, pick: <T>(of: readonly T[]): T => of[int(of.length)] as T };
}
