import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../../test/support/agents/claude-recordings.ts';
import { replay } from '../../../../test/support/agents/replay.ts';
import type { Observation } from '../../../protocol/observation.ts';
import { OBSERVATIONS } from '../../../protocol/observation-manifest.ts';
import { claudeCode } from '../index.ts';
import { runToEnd } from './observe-conversation.ts';
import { past } from './past.ts';

const read = (text: string) => runToEnd(past.reading(text));

const folder = join(import.meta.dirname, '../recordings/vault');
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

for (const name of names) {
  test(`reading the record ${name} returns the same result as before`, async () => {
    const { observations, ...facts } = read(textOf(name));
    const printed = `[\n${[facts, ...observations].map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
    await expect(printed).toMatchFileSnapshot(join(folder, name.replace('.jsonl', '.golden.json')));
  });
}

test('every observation from a record is known and has a valid shape, and nothing is unrecognized', () => {
  for (const observation of names.flatMap((name) => read(textOf(name)).observations)) {
    const definition = OBSERVATIONS.find((one) => one.type === observation.type);
    expect(definition?.schema['~standard'].validate(observation)).not.toHaveProperty('issues');
    expect(observation.type).not.toBe('unrecognised');
  }
});

const identity = (one: Observation) => ('uuid' in one ? { type: one.type, itemId: one.itemId, uuid: one.uuid } : undefined);
const printedToo = ['2.1.197-tool-write', '2.1.197-perm-multi-two', '2.1.197-compact-manual', '2.1.325-write'] as const;
for (const name of printedToo) {
  test(`the agent's items in the record ${name} have the ids they were printed with`, () => {
    const recording = readRecordings().find((one) => one.name === name);
    const live = (recording === undefined ? [] : replay(claudeCode, recording)).map(identity);
    const agentItems = read(textOf(`${name}.jsonl`)).observations.filter((one) => one.type !== 'user.message' && 'itemId' in one);
    expect(agentItems.length).toBeGreaterThan(0);
    for (const one of agentItems) expect(live).toContainEqual(identity(one));
  });
}

const line = (uuid: string, parentUuid: string | null, content: string, more: object = {}) =>
  JSON.stringify({ type: 'user', uuid, parentUuid, message: { content }, timestamp: '2026-11-15T01:00:00.000Z', cwd: '/p', ...more });
const textsIn = (text: string): readonly string[] => read(text).observations.flatMap((one) => (one.type === 'user.message' ? [one.text] : [one.type]));

const branches: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['follows the last line back through its parents', [line('a', null, 'one'), line('b', 'a', 'left'), line('c', 'a', 'two')], ['one', 'two']],
  ['crosses a compaction to what came before', [line('a', null, 'one'), line('b', null, 'two', { logicalParentUuid: 'a' })], ['one', 'two']],
  ['stops where a parent is not in the file', [line('b', 'gone', 'two'), line('c', 'b', 'three')], ['two', 'three']],
  ['does not loop forever', [line('a', 'b', 'one'), line('b', 'a', 'two')], ['one', 'two']],
  ['leaves out subagents', [line('a', null, 'one'), line('s', 'a', 'inside', { isSidechain: true })], ['one']],
  ['passes through attachments', [line('a', null, 'one'), line('b', 'a', '', { type: 'attachment' }), line('c', 'b', 'two')], ['one', 'two']],
  ['shows an invalid line, and continues', [line('a', null, 'one'), '{"type":"us', line('b', 'a', 'two')], ['one', 'unrecognised', 'two']],
  ['shows an unknown kind of line', [line('a', null, 'one'), '{"type":"novelty"}', line('b', 'a', 'two')], ['one', 'unrecognised', 'two']],
  ['shows a known kind with an unknown shape', [line('a', null, 'one'), line('b', 'a', '', { type: 'system', subtype: 'novelty' })], ['one', 'unrecognised']],
  ['leaves out an incomplete last line', [line('a', null, 'one'), line('b', 'a', 'two').slice(0, 40)], ['one']],
  ['reads a complete last line without a newline', [line('a', null, 'one')], ['one']],
  ['shows a command as typed', [line('a', null, '<command-name>/compact</command-name>\n<command-args>keep</command-args>')], ['/compact keep']],
];
for (const [title, lines, expected] of branches) test(`reading a record ${title}`, () => expect(textsIn(lines.join('\n'))).toEqual(expected));

test('[R178] a record with any piece cut out of it never throws', () => {
  for (const name of names) {
    const text = textOf(name);
    for (let at = 0; at < text.length; at += 997) {
      read(text.slice(0, at) + text.slice(at + 500));
      past.readFacts(text.slice(at, at + 5000), text.slice(-3000));
    }
  }
});

test('a call without a result is closed with the reason', () => {
  const { observations } = read(textOf('2.1.197-kill9-4-perm-pending.jsonl'));
  expect(observations.at(-1)).toMatchObject({ type: 'tool.completed', isError: true, closedBy: 'the record has no result for this call' });
});

test('all results of tools that ran in parallel are included', () => {
  const { observations } = read(textOf('2.1.197-perm-multi-two.jsonl'));
  expect(observations.filter((one) => one.type === 'tool.completed' && one.closedBy === undefined)).toHaveLength(2);
});

test("a compaction's summary is reported, and so are folder, title, model and time", () => {
  const record = read(textOf('2.1.197-compact-manual.jsonl'));
  expect(record.summary).toContain('Scripted summary of the conversation.');
  expect(record).toMatchObject({ cwd: '/home/dev/proj', title: '@PLAIN a', model: 'claude-opus-4-8', lastAt: '2026-11-15T01:09:31.563Z' });
});

test('both ends of a record yield the same facts as all of it', () => {
  const text = textOf('2.1.197-compact-manual.jsonl');
  const { cwd, title, model, lastAt } = read(text);
  expect(past.readFacts(text.slice(0, 4000), text.slice(-4000))).toEqual({ cwd, title, model, lastAt });
});

test('a title that a person chose wins over the first words', () => {
  expect(past.readFacts(`${line('a', null, 'one')}\n{"type":"custom-title","customTitle":"Trains"}\n`, '').title).toBe('Trains');
});

for (const name of names) {
  test(`the record ${name} is the same conversation when read from the end`, () => {
    const text = textOf(name);
    const { messageIds } = read(text);
    const back = [...past.backwards(text)].filter((message) => message.canContinue).map((message) => message.id);
    const onBranch = new Set(back);
    expect(back.reverse()).toEqual(messageIds.filter((id) => onBranch.has(id)));
    expect(back.at(-1)).toBe(messageIds.at(-1));
  });
}

test('nothing before the requested messages is read', () => {
  const text = [line('a', 'earlier', 'one'), line('b', 'a', 'two')].join('\n');
  const [last] = past.backwards(`${'{"torn'.repeat(1000)}\n${text}\n{"uuid":"half`);
  expect(last).toEqual({ id: 'b', canContinue: true });
  expect([...past.backwards([line('a', null, 'one'), line('x', 'a', 'left'), line('b', 'a', 'two')].join('\n'))].map((one) => one.id)).toEqual(['b', 'a']);
});

test('a message that joined a running turn is found, but the conversation cannot continue after it', () => {
  const back = [...past.backwards(textOf('2.1.197-folded-resend-after-resume.jsonl'))];
  expect(back).toContainEqual({ id: '22222222-1111-4111-8111-222222222222', canContinue: false });
});
