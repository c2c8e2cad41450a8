import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { corruptedText } from '../../../../test/support/archive/past-lines.ts';
import type { PastRecord } from '../../port/adapter.ts';
import { past } from './past.ts';

const FOLDER = join(import.meta.dirname, '../recordings');
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

function read(text: string): PastRecord {
  const steps = past.reading(text);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

for (const name of names) {
  test(`the rollout ${name} is the same thread when read from the end, and nothing in it stays open`, () => {
    const record = read(textOf(name));
    expect([...past.backwards(textOf(name))].map(({ id }) => id).toReversed()).toEqual(record.messageIds);
    expect(record.messageIds.length).toBeGreaterThan(0);
    const open = new Set(record.observations.flatMap((one) => (one.type === 'tool.started' ? [one.toolUseId] : [])));
    for (const one of record.observations) if (one.type === 'tool.completed') open.delete(one.toolUseId);
    expect([...open]).toEqual([]);
  });
}

test('folder, model, title and time are reported, and the summary if there is one', () => {
  expect(read(textOf('0.166.0-tools.jsonl'))).toMatchObject({
    cwd: expect.stringMatching(/^\//),
    title: expect.any(String),
    lastAt: expect.stringMatching(/^2026-/),
  });
  expect(read(textOf('0.166.0-tools.jsonl'))).not.toHaveProperty('summary');
  expect(read(textOf('0.166.0-resume-compact.jsonl')).summary?.length).toBeGreaterThan(0);
});

test('an incomplete last line does not count', () => {
  const text = textOf('0.166.0-tools.jsonl').trimEnd();
  expect(read(`${text}\n{"timestamp":"2026-11-15T00:00:00Z","type":"event_m`)).toEqual(read(text));
});

test('a damaged rollout never throws', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const text = corruptedText(textOf('0.166.0-tools.jsonl'), seed);
    read(text);
    for (const message of past.backwards(text)) expect(message.id, `seed ${seed}`).toBeTypeOf('string');
  }
});

test('a thread is identified by its file name', () => {
  const id = '01234567-89ab-cdef-0123-456789abcdef';
  expect([`rollout-2026-11-15T01-02-03-${id}.jsonl`, `${id}.jsonl`, 'rollout-x.jsonl', 'state_5.sqlite'].map(past.idOf)).toEqual([
    id,
    undefined,
    undefined,
    undefined,
  ]);
});
