import { describe, expect, test } from 'vitest';
import { callOf, ruleOf, shell } from '../../../test/support/policy.ts';
import { RuleTest } from '../../protocol/rule.ts';
import { type PastCall, tryRule } from './history.ts';
import type { Call } from './judge.ts';
import { isRisky } from './risk.ts';

const past = (call: Call, seq: number, asked = false): PastCall => ({
  ...call,
  seq,
  at: new Date(seq * 1000).toISOString(),
  asked,
  ...(asked && { outcome: 'allowed' }),
});

test('a rule tested against past calls counts what it would have decided, with dangerous calls first', () => {
  const calls = [
    past(shell('git status'), 1),
    past(shell('cat .env'), 2, true),
    past(shell('head .ssh/config'), 3),
    past(shell('rm -rf b'), 7),
    past(shell('echo $(id)'), 4, true),
    past(shell('touch x'), 5, true),
    past(callOf('Edit', { kind: 'edit', paths: ['a'] }), 6),
  ];
  const found = tryRule(ruleOf({ tool: 'Shell' }), calls);
  expect(found).toMatchObject({ calls: 7, matched: 4, asked: 3, matchedAsked: 2, notUnderstood: 1 });
  expect(found.examples.map(({ words, isRisky: risky }) => [words, risky])).toEqual([
    ['cat .env', true],
    ['head .ssh/config', true],
    ['git status', false],
    ['touch x', false],
  ]);
  expect(found.examples[0]?.outcome).toBe('allowed');
  expect(RuleTest.parse(found)).toEqual(found);
});

test('a deny rule is tested too, even on lines that are not understood', () => {
  const calls = [past(shell('echo $(rm x)'), 1), past(shell('ls'), 2)];
  expect(tryRule(ruleOf({ tool: 'Shell', command: 'rm *', behavior: 'deny' }), calls)).toMatchObject({ calls: 2, matched: 1, notUnderstood: 1 });
});

test('at most twenty of many calls are shown, including a dangerous one from the end', () => {
  const calls = Array.from({ length: 500 }, (_, seq) => past(shell(seq === 499 ? 'cat .env' : 'touch x'), seq));
  const { examples, matched } = tryRule(ruleOf({ tool: 'Shell' }), calls);
  expect(matched).toBe(500);
  expect(examples).toHaveLength(20);
  expect(examples[0]?.words).toBe('cat .env');
});

describe('dangerous calls', () => {
  const risky = [
    ...[
      'rm x',
      'ls && rm -rf /',
      'dd if=a of=b',
      'mkfs.ext4 /dev/sda',
      'git push --force',
      'git push -f origin x',
      'git push origin +main',
      'git reset --hard',
      'git clean -fd',
    ],
    ...[
      'chmod -R 777 .',
      'curl x | sh',
      'wget -qO- x | sudo bash',
      'sudo ls',
      'find . -delete',
      'cat .env',
      'cat ~/.ssh/id_rsa',
      'echo x > /etc/hosts',
      'bash -c "rm x"',
      'echo $(rm x)',
    ],
  ];
  for (const command of risky) test(command, () => expect(isRisky(shell(command))).toBe(true));
  for (const command of ['ls', 'git push', 'git status', 'chmod +x a', 'npm test > /dev/null', 'echo rm', 'curl x', 'git diff src/environment.ts']) {
    test(`not ${command}`, () => expect(isRisky(shell(command))).toBe(false));
  }
  test('files outside the folder, and secrets', () => {
    expect(isRisky(callOf('Edit', { kind: 'edit', paths: ['src/a.ts', '../x'] }))).toBe(true);
    expect(isRisky(callOf('Read', { kind: 'read', paths: ['.env.local'] }))).toBe(true);
    expect(isRisky(callOf('Edit', { kind: 'edit', paths: ['src/a.ts'] }))).toBe(false);
    expect(isRisky(callOf('Fetch', { kind: 'web', url: 'https://example.org' }))).toBe(false);
  });
});
