import { expect, test } from 'vitest';
import type { RawLine, RawPage } from '../../../../../src/protocol/api/raw.ts';
import { MAX_LINES, type RawState, withNewer, withOlder } from './raw-store.ts';

const line = (place: number, text = `${place}`): RawLine => ({ place, bytes: text.length, text });
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => line(from + n));
const state = (shown: readonly RawLine[], more: Partial<RawState> = {}): RawState => ({
  runs: [],
  source: 'run',
  run: 'r',
  side: 'out',
  lines: shown,
  before: 10,
  after: 20,
  more: false,
  ...more,
});
const page = (shown: RawLine[], more: Partial<RawPage> = {}): RawPage => ({
  source: 'run',
  runs: [],
  side: 'out',
  lines: shown,
  after: 20,
  more: false,
  ...more,
});
const texts = ({ lines: shown }: RawState) => shown?.map(({ text }) => text);

test('an incomplete last line is replaced when it comes again, longer', () => {
  const grown = withNewer(state([line(1), { ...line(2, 'ha'), open: true }]), page([line(2, 'half and whole'), line(3)]));
  expect(texts(grown)).toEqual(['1', 'half and whole', '3']);
});

test('lines that come twice are listed once', () => {
  expect(texts(withOlder(state(lines(5, 8)), page(lines(2, 6))))).toEqual(['2', '3', '4', '5', '6', '7']);
});

test('lines dropped at one end can be loaded again', () => {
  const down = withNewer(state(lines(0, MAX_LINES)), page(lines(MAX_LINES, MAX_LINES + 5)));
  expect([down.lines?.length, down.lines?.[0]?.place, down.before]).toEqual([MAX_LINES, 5, 5]);
  const up = withOlder(state(lines(5, MAX_LINES + 5)), page(lines(0, 5), { before: 0 }));
  expect([up.lines?.length, up.lines?.at(-1)?.place, up.after, up.more]).toEqual([MAX_LINES, MAX_LINES - 1, MAX_LINES, true]);
  const record = withOlder(state(lines(5, MAX_LINES + 5)), page(lines(0, 5), { source: 'record' }));
  expect(record.after).toBe(MAX_LINES - 1);
});
