import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../../test/support/agents/claude-recordings.ts';
import { replay } from '../../../../test/support/agents/replay.ts';
import type { Observation } from '../../../protocol/observation.ts';
import { OBSERVATIONS } from '../../../protocol/observation-manifest.ts';
import { claudeCode } from '../index.ts';
import { past } from './history.ts';
import { atOnce } from './whole-conversation.ts';

const read = (text: string) => atOnce(past.reading(text));

const folder = join(import.meta.dirname, 'recordings/vault');
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

for (const name of names) {
  test(`the record ${name} is read as it was before`, async () => {
    const { observations, ...facts } = read(textOf(name));
    const printed = `[\n${[facts, ...observations].map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
    await expect(printed).toMatchFileSnapshot(join(folder, name.replace('.jsonl', '.golden.json')));
  });
}

test('everything told of a record is a known observation of the right shape, and nothing is strange', () => {
  for (const observation of names.flatMap((name) => read(textOf(name)).observations)) {
    const definition = OBSERVATIONS.find((one) => one.type === observation.type);
    expect(definition?.schema['~standard'].validate(observation)).not.toHaveProperty('issues');
    expect(observation.type).not.toBe('unrecognised');
  }
});

const identity = (one: Observation) => ('uuid' in one ? { type: one.type, itemId: one.itemId, uuid: one.uuid } : undefined);
const printedToo = ['2.1.197-tool-write', '2.1.197-perm-multi-two', '2.1.197-compact-manual', '2.1.325-write'] as const;
for (const name of printedToo) {
  test(`what the record ${name} tells of the agent has the ids under which it was printed`, () => {
    const recording = readRecordings().find((one) => one.name === name);
    const live = (recording === undefined ? [] : replay(claudeCode, recording)).map(identity);
    const spoken = read(textOf(`${name}.jsonl`)).observations.filter((one) => one.type !== 'user.message' && 'itemId' in one);
    expect(spoken.length).toBeGreaterThan(0);
    for (const one of spoken) expect(live).toContainEqual(identity(one));
  });
}

const line = (uuid: string, parentUuid: string | null, said: string, more: object = {}) =>
  JSON.stringify({ type: 'user', uuid, parentUuid, message: { content: said }, timestamp: '2026-11-15T01:00:00.000Z', cwd: '/p', ...more });
const said = (text: string): readonly string[] => read(text).observations.flatMap((one) => (one.type === 'user.message' ? [one.text] : [one.type]));

const branches: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['follows the last line back over its parents', [line('a', null, 'one'), line('b', 'a', 'left'), line('c', 'a', 'two')], ['one', 'two']],
  ['goes over a compaction to what came before', [line('a', null, 'one'), line('b', null, 'two', { logicalParentUuid: 'a' })], ['one', 'two']],
  ['stops where a parent is not in the file', [line('b', 'gone', 'two'), line('c', 'b', 'three')], ['two', 'three']],
  ['does not go round in a circle', [line('a', 'b', 'one'), line('b', 'a', 'two')], ['one', 'two']],
  ['leaves out what subagents said', [line('a', null, 'one'), line('s', 'a', 'inside', { isSidechain: true })], ['one']],
  ['goes over attachments', [line('a', null, 'one'), line('b', 'a', '', { type: 'attachment' }), line('c', 'b', 'two')], ['one', 'two']],
  ['shows a line that is none, and goes on', [line('a', null, 'one'), '{"type":"us', line('b', 'a', 'two')], ['one', 'unrecognised', 'two']],
  ['shows a kind that nobody knows', [line('a', null, 'one'), '{"type":"novelty"}', line('b', 'a', 'two')], ['one', 'unrecognised', 'two']],
  ['shows a known kind of another shape', [line('a', null, 'one'), line('b', 'a', '', { type: 'system', subtype: 'novelty' })], ['one', 'unrecognised']],
  ['leaves out half a last line', [line('a', null, 'one'), line('b', 'a', 'two').slice(0, 40)], ['one']],
  ['takes a last line without its newline', [line('a', null, 'one')], ['one']],
  ['shows a command as it was typed', [line('a', null, '<command-name>/compact</command-name>\n<command-args>keep</command-args>')], ['/compact keep']],
];
for (const [title, lines, expected] of branches) test(`reading a record ${title}`, () => expect(said(lines.join('\n'))).toEqual(expected));

test('[R178] a record with any piece cut out of it never throws', () => {
  for (const name of names) {
    const text = textOf(name);
    for (let at = 0; at < text.length; at += 997) {
      read(text.slice(0, at) + text.slice(at + 500));
      past.glance(text.slice(at, at + 5000), text.slice(-3000));
    }
  }
});

test('a call without a result is closed, with the reason', () => {
  const { observations } = read(textOf('2.1.197-kill9-4-perm-pending.jsonl'));
  expect(observations.at(-1)).toMatchObject({ type: 'tool.completed', isError: true, closedBy: 'the record has no result of it' });
});

test('results of tools that ran side by side are all there', () => {
  const { observations } = read(textOf('2.1.197-perm-multi-two.jsonl'));
  expect(observations.filter((one) => one.type === 'tool.completed' && one.closedBy === undefined)).toHaveLength(2);
});

test('the summary of a compaction is told, and the folder, title, model and time', () => {
  const record = read(textOf('2.1.197-compact-manual.jsonl'));
  expect(record.summary).toContain('Scripted summary of the conversation.');
  expect(record).toMatchObject({ cwd: '/home/dev/proj', title: '@PLAIN a', model: 'claude-opus-4-8', lastAt: '2026-11-15T01:09:31.563Z' });
});

test('a glance at both ends tells what the whole would', () => {
  const text = textOf('2.1.197-compact-manual.jsonl');
  const { cwd, title, model, lastAt } = read(text);
  expect(past.glance(text.slice(0, 4000), text.slice(-4000))).toEqual({ cwd, title, model, lastAt });
});

test('a title that a person gave wins over the first words', () => {
  expect(past.glance(`${line('a', null, 'one')}\n{"type":"custom-title","customTitle":"Trains"}\n`, '').title).toBe('Trains');
});

for (const name of names) {
  test(`the record ${name} is the same conversation from its end as from its beginning`, () => {
    const text = textOf(name);
    const { messageIds } = read(text);
    const back = [...past.backwards(text)].filter((message) => message.canGoOn).map((message) => message.id);
    const onTheWay = new Set(back);
    expect(back.reverse()).toEqual(messageIds.filter((id) => onTheWay.has(id)));
    expect(back.at(-1)).toBe(messageIds.at(-1));
  });
}

test('what lies before the messages sought is not read', () => {
  const text = [line('a', 'earlier', 'one'), line('b', 'a', 'two')].join('\n');
  const [last] = past.backwards(`${'{"torn'.repeat(1000)}\n${text}\n{"uuid":"half`);
  expect(last).toEqual({ id: 'b', canGoOn: true });
  expect([...past.backwards([line('a', null, 'one'), line('x', 'a', 'left'), line('b', 'a', 'two')].join('\n'))].map((one) => one.id)).toEqual(['b', 'a']);
});

test('a message that was folded into a turn is met on the way, but nothing goes on after it', () => {
  const back = [...past.backwards(textOf('2.1.197-folded-resend-after-resume.jsonl'))];
  expect(back).toContainEqual({ id: '22222222-1111-4111-8111-222222222222', canGoOn: false });
});
