import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import type { Adapter, Translation } from '../../src/agents/port/adapter.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import { CONTRACT } from '../support/agents/contract.ts';
import type { Recording } from '../support/agents/replay.ts';

/** An adapter whose agent prints the observations themselves; `part` breaks one rule. */
function echoAdapter(part: Partial<Adapter> = {}): Adapter {
  const [first] = AGENTS;
  if (first === undefined) throw new Error('no agent exists');
  return { ...first, initial: () => ({ lines: 0 }), translate: (state, line) => translateLine(state, line), ...part };
}

function translateLine(state: unknown, line: string): Translation<unknown> {
  try {
    const parsed: unknown = JSON.parse(line);
    if (Array.isArray(parsed) && parsed.length > 0) return { state, observations: parsed as Observation[], replies: [] };
  } catch {}
  return { state, observations: [{ type: 'unrecognised', raw: line.slice(0, 64 * 1024) }], replies: [] };
}

const recording = (...lines: readonly (readonly object[])[]): Recording => ({ name: 'made', lines: lines.map((line) => JSON.stringify(line)) });
const began = { type: 'turn.began', cause: 'input' };
const ended = { type: 'turn.ended', stopReason: 'end_turn', isError: false, aborted: false, denials: 0 };
const delta = (text: string, offset: number) => ({ type: 'delta', itemId: 'm:0', messageId: 'm', index: 0, kind: 'text', text, offset });
const finished = (text: string) => ({ type: 'assistant.text', itemId: 'm:0', messageId: 'm', index: 0, text });
const tool = { type: 'tool.started', itemId: 't', toolUseId: 't', name: 'Bash', input: {} };
const completed = { type: 'tool.completed', itemId: 't:result', toolUseId: 't', output: '', isError: false };
const taken = { type: 'input.taken', inputId: 'u' };
const good = recording([taken, began], [delta('he', 0)], [delta('llo', 2)], [finished('hello')], [tool], [completed], [ended]);

for (const rule of CONTRACT) {
  test(`a correct adapter follows the rule: ${rule.title}`, () => expect(rule.violations(echoAdapter(), good)).toEqual([]));
}

let calls = 0;
const counting = (state: unknown): unknown => {
  const counted = state as { lines: number };
  counted.lines += 1;
  return counted;
};

const broken: readonly (readonly [string, Partial<Adapter>, Recording])[] = [
  ['replaying', { translate: (state) => ({ state, observations: [{ type: 'unrecognised', raw: String(calls++) }], replies: [] }) }, good],
  ['folding', { initial: () => new Map([['x', 1]]), translate: (state) => translateLine(state, state instanceof Map ? '' : '[]x') }, good],
  ['a state is never', { translate: (state, line) => translateLine(counting(state), line) }, good],
  ['the state stays', { initial: () => 'x'.repeat(20_000) }, good],
  ['half a line', { translate: (state) => ({ state, observations: [], replies: [] }) }, good],
  ['an unknown line', { translate: (state, line) => ({ state, observations: [{ type: 'unrecognised', raw: line }], replies: [] }) }, good],
  ['a line with', { translate: (state, line) => translateLine(state, line.includes('__proto__') ? JSON.parse('{') : line) }, good],
  ['every observation', {}, recording([{ type: 'notice.shown', level: 'loud', text: '' }])],
  ['a turn starts', {}, recording([began], [began])],
  ['a turn starts', {}, recording([ended])],
  ['a tool that', {}, recording([completed])],
  ['an item id', {}, recording([tool], [tool])],
  ['text in progress has', {}, recording([delta('a', 0)], [delta('b', 2)])],
  ['at the end', {}, recording([began], [delta('a', 0)], [ended])],
  ['a finished text', {}, recording([delta('a', 0)], [finished('b')])],
  ['an input is', {}, recording([taken], [taken])],
];
for (const [start, part, lines] of broken) {
  const rule = CONTRACT.find(({ title }) => title.includes(start));
  test(`a broken adapter is caught: ${rule?.title}`, () => expect(rule?.violations(echoAdapter(part), lines)).not.toEqual([]));
}

test('every rule catches at least one broken adapter', () => {
  expect(CONTRACT.filter(({ title }) => !broken.some(([start]) => title.includes(start))).map(({ title }) => title)).toEqual([]);
});
