import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { corruptedText } from '../../../../test/support/archive/past-lines.ts';
import type { PastRecord } from '../../port/adapter.ts';
import { past } from './past.ts';

const VAULT = join(import.meta.dirname, '../recordings/vault');
const names = readdirSync(VAULT).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string): string => readFileSync(join(VAULT, name), 'utf8');

function read(text: string): PastRecord {
  const steps = past.reading(text);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const textsIn = (text: string) => read(text).observations.flatMap((one) => ('text' in one ? [one.text] : [one.type]));

test('a file is read as Pi would continue it: from the last line back through its parents', () => {
  expect(textsIn(textOf('0.87.1-tree-branches.jsonl'))).toEqual([
    'root question',
    'root answer',
    'branch A',
    'answer A',
    'branch A2 after going back',
    'answer A2',
  ]);
});

for (const name of names) {
  test(`the file ${name} is the same conversation when read from the end`, () => {
    const back = [...past.backwards(textOf(name))].filter(({ canContinue }) => canContinue).map(({ id }) => id);
    expect(back.toReversed()).toEqual(read(textOf(name)).messageIds);
    expect(back.length).toBeGreaterThan(0);
  });
}

test('a call that a kill left without a result is closed with the reason', () => {
  expect(read(textOf('0.73.1-kill-resume-after-sigkill.jsonl')).observations.at(-1)).toMatchObject({
    type: 'tool.completed',
    isError: true,
    closedBy: 'the record has no result for this call',
  });
});

test('the last summary is reported, with folder, model, title and time', () => {
  expect(read(textOf('0.87.1-compaction.jsonl'))).toMatchObject({
    summary: '## Summary\nThe user asked for scripted work; the agent did it.',
    cwd: '/home/dev/proj.a',
    model: 'fake/fake-small',
    title: expect.stringMatching(/^Do the task/),
    lastAt: '2026-11-15T01:32:22.317Z',
  });
  expect(read(textOf('0.87.1-tools.jsonl'))).not.toHaveProperty('summary');
});

test('an incomplete last line does not count, a complete one without a newline does', () => {
  const text = textOf('0.87.1-tree-branches.jsonl').trimEnd();
  expect(read(text).title).toBe('tree demo');
  expect(read(`${text}\n{"type":"message","id":"half`)).toEqual(read(text));
});

test('an unknown line is shown in its place, and the rest is read', () => {
  const [header = '', ...lines] = textOf('0.87.1-tree-branches.jsonl').trim().split('\n');
  expect(textsIn([header, '{"type":"novelty"}', ...lines.slice(0, 2)].join('\n'))).toEqual(['unrecognised', 'root question', 'root answer']);
});

test('files are in a folder for each working folder, or in one for all', () => {
  const where = { cwd: '/home/dev/proj.a', env: { HOME: '/home/dev' } };
  expect([past.root(where.env), past.folder(where)]).toEqual(['/home/dev/.pi/agent/sessions', '/home/dev/.pi/agent/sessions/--home-dev-proj.a--']);
  expect(past.folder({ ...where, env: { PI_CODING_AGENT_SESSION_DIR: '/all' } })).toBe('/all');
});

test('a damaged file never throws', () => {
  for (const name of names) {
    for (let seed = 1; seed <= 10; seed += 1) {
      const text = corruptedText(textOf(name), seed);
      read(text);
      for (const message of past.backwards(text)) expect(message.id, `seed ${seed} of ${name}`).toBeTypeOf('string');
    }
  }
});
