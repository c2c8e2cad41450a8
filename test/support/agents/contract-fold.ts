import type { Adapter } from '../../../src/agents/port/adapter.ts';
import type { Observation } from '../../../src/protocol/observation.ts';
import type { Recording } from './replay.ts';
import { replay } from './replay.ts';

/** Rules about the fold itself: repeatable, restorable from storage, and safe with junk. */

export function repeats(adapter: Adapter, recording: Recording): readonly string[] {
  return differences(replay(adapter, recording), replay(adapter, recording));
}

export function survivesStorage(adapter: Adapter, recording: Recording): readonly string[] {
  return differences(
    replay(adapter, recording),
    replay(adapter, recording, (state) => JSON.parse(JSON.stringify(state))),
  );
}

export function neverMutatesState(adapter: Adapter, recording: Recording): readonly string[] {
  let state = adapter.initial();
  return recording.lines.flatMap((line) => {
    const before = JSON.stringify(state);
    const next = adapter.translate(state, line).state;
    const isChanged = JSON.stringify(state) !== before;
    state = next;
    return isChanged ? [`changed by ${line.slice(0, 200)}`] : [];
  });
}

function differences(expected: readonly Observation[], actual: readonly Observation[]): readonly string[] {
  const at = expected.findIndex((observation, index) => JSON.stringify(observation) !== JSON.stringify(actual[index]));
  if (at >= 0) return [`observation ${at}: ${JSON.stringify(expected[at])} became ${JSON.stringify(actual[at])}`];
  return expected.length === actual.length ? [] : [`${expected.length} observations became ${actual.length}`];
}

/** The limit for a state: it is stored next to the journal with every durable event. */
const STATE_CHARS = 16 * 1024;

export function staysSmall(adapter: Adapter, recording: Recording): readonly string[] {
  let largest = 0;
  replay(adapter, recording, (state) => {
    largest = Math.max(largest, JSON.stringify(state).length);
    return state;
  });
  return largest > STATE_CHARS ? [`${largest} characters`] : [];
}

export function survivesJunk(adapter: Adapter, recording: Recording): readonly string[] {
  let state = adapter.initial();
  return recording.lines.flatMap((line) => {
    const half = line.slice(0, Math.ceil(line.length / 2));
    const junkLines = ['[]', 'null', '7', '{}', '{"type":7}', '{"type":"never seen"}', '{"type":"__proto__"}', half];
    const broken = junkLines.filter((junk) => !adapter.translate(state, junk).observations.some((observation) => observation.type === 'unrecognised'));
    state = adapter.translate(state, line).state;
    return broken.map((junk) => `not stored: ${junk.slice(0, 100)}`);
  });
}

/** The limit for an event; the run's own file has the complete line. */
const RAW_CHARS = 64 * 1024;

export function boundsUnknownLines(adapter: Adapter): readonly string[] {
  const long = 'x'.repeat(RAW_CHARS + 1);
  return [long, JSON.stringify({ type: 'never seen', long })].flatMap((line) =>
    adapter
      .translate(adapter.initial(), line)
      .observations.flatMap((one) =>
        one.type === 'unrecognised' && one.raw.length > RAW_CHARS ? [`${one.raw.length} characters of ${line.slice(0, 40)}`] : [],
      ),
  );
}

export function survivesMutation(adapter: Adapter, recording: Recording): readonly string[] {
  let state = adapter.initial();
  return recording.lines.flatMap((line) => {
    const broken = mutations(line).filter((mutation) => throws(() => adapter.translate(state, mutation)));
    state = adapter.translate(state, line).state;
    return broken.map((mutation) => `threw at ${mutation.slice(0, 200)}`);
  });
}

function throws(task: () => unknown): boolean {
  try {
    task();
    return false;
  } catch {
    return true;
  }
}

const REPLACEMENTS: readonly unknown[] = [null, -1.5, '__proto__', [], { toString: 1 }, true];

/** The line with each of its fields, three levels deep, replaced in turn; the replacement values rotate. */
function mutations(line: string): readonly string[] {
  const parsed: unknown = JSON.parse(line);
  return pathsOf(parsed, 3).map((path, index) => JSON.stringify(replaced(parsed, path, REPLACEMENTS[index % REPLACEMENTS.length])));
}

function pathsOf(value: unknown, depth: number): readonly (readonly string[])[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [[key], ...pathsOf(part, depth - 1).map((path) => [key, ...path])]);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) return value.map((part, index) => (String(index) === key ? replaced(part, rest, replacement) : part));
  return Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, name === key ? replaced(part, rest, replacement) : part]));
}
