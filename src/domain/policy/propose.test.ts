import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callOf, ruleOf, shell } from '../../../test/support/policy.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { describeRule } from './describe.ts';
import { type Call, judgeBy } from './judge.ts';
import { checkPattern } from './pattern.ts';
import { propose } from './propose.ts';
import { lexical } from './shell/paths.ts';

const offered = (call: Call): string[] => {
  const found = propose(call);
  return 'cannot' in found
    ? [`cannot: ${found.cannot}`]
    : found.proposals.map(({ pattern }) => pattern.command ?? pattern.path ?? pattern.host ?? pattern.tool);
};

describe('for a command, the narrowest pattern comes first, and only harmless commands are widened', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['git diff --stat HEAD', ['git diff --stat HEAD', 'git diff *']],
    ['npm run test -- -u', ['npm run test -- -u', 'npm run test *', 'npm run *']],
    ['npm test', ['npm test', 'npm test *']],
    ['ls', ['ls', 'ls *']],
    ['ls *.ts', ['ls *']],
    ['gh pr view 12', ['gh pr view 12', 'gh pr view *']],
    ['git commit -m "it\'s done"', ["git commit -m 'it'\\''s done'", 'git commit *']],
    ['git push origin main', ['git push origin main']],
    ['git status && npm test', ['git status && npm test']],
    ['cat a | head -5', ['cat a | head -5']],
    ['rm -rf build', ['rm -rf build']],
    ['sudo apt update', ['sudo apt update']],
    ["bash -c 'ls; pwd'", ["bash -c 'ls; pwd'"]],
    ['./build.sh all', ['./build.sh all']],
    ['cat .env', ['cat .env']],
  ];
  for (const [command, expected] of cases) test(command, () => expect(offered(shell(command))).toEqual(expected));
});

test('the proposal for a command that no rule can allow says why', () => {
  expect(propose(shell('npm test 2>&1'))).toEqual({ cannot: 'No rule can allow this command: it has a redirection (<, >).' });
  expect(propose(shell('rm *'))).toEqual({ cannot: expect.any(String) as string });
  expect(propose(shell('sudo rm *'))).toEqual({ cannot: 'No rule can match just this call.' });
});

test('for a file: the file, its folder, the project; outside the project only the file', () => {
  expect(offered(callOf('Edit', { kind: 'edit', paths: ['/work/app/src/deep/a.ts'] }))).toEqual(['src/deep/a.ts', 'src/deep/**', '**']);
  expect(offered(callOf('Edit', { kind: 'edit', paths: ['a.ts'] }))).toEqual(['a.ts', '**']);
  expect(offered(callOf('Edit', { kind: 'edit', paths: ['../other/a.ts'] }))).toEqual(['/work/other/a.ts']);
  expect(offered(callOf('Edit', { kind: 'edit', paths: ['src/a.ts', 'lib/b.ts'] }))).toEqual(['**']);
  expect(offered(callOf('Edit', { kind: 'edit', paths: ['.github/workflows/a.yml'] }))).toEqual(['.github/workflows/a.yml', '.github/workflows/**']);
  expect(offered(callOf('Edit', { kind: 'edit', paths: [] }))).toEqual(['cannot: No rule can match just this call.']);
});

test('for an address: its host, with its port if it has one', () => {
  expect(offered(callOf('Fetch', { kind: 'web', url: 'https://Docs.Example.org/a?b' }))).toEqual(['docs.example.org']);
  expect(offered(callOf('Fetch', { kind: 'web', url: 'http://localhost:3000/' }))).toEqual(['localhost:3000']);
  expect(offered(callOf('Fetch', { kind: 'web', url: 'https://user@example.org/' }))).toEqual(['cannot: No rule can match just this call.']);
  expect(offered(callOf('Search', { kind: 'web', query: 'x' }))).toEqual(['Search']);
});

test('for anything else: the tool', () => expect(offered(callOf('mcp__a__b', { kind: 'mcp', server: 'a', tool: 'b' }))).toEqual(['mcp__a__b']));

test('every proposal is a valid rule that allows the call', () => {
  const line = fc.string({ unit: fc.constantFrom(...'\'"\\ *?$;&|ab-.=~[#!'), maxLength: 20 });
  fc.assert(
    fc.property(fc.constantFrom('git diff', 'rm', 'ls', 'npm run', 'bash', 'x'), line, (start, rest) => {
      const call = shell(`${start} ${rest}`);
      const found = propose(call);
      if ('cannot' in found) return;
      for (const { pattern } of found.proposals) {
        const rule = ruleOf(pattern);
        expect(checkPattern(rule)).toBeUndefined();
        expect(judgeBy([rule], lexical)(call)?.behavior).toBe('allow');
      }
    }),
    { numRuns: proofCount(1_000) },
  );
});

test('a rule is described in one line', () => {
  const project = { kind: 'project', folder: '/work/app' } as const;
  expect(describeRule(ruleOf({ tool: 'Shell', command: 'git diff *', scope: project }))).toBe('Allow Shell `git diff *` in /work/app');
  expect(describeRule(ruleOf({ tool: 'Edit', path: 'src/**', behavior: 'deny' }))).toBe('Deny Edit on any file in src/ everywhere');
  expect(describeRule(ruleOf({ tool: '*', path: '**', scope: project }))).toBe("Allow any tool on any file in the session's folder in /work/app");
  expect(describeRule(ruleOf({ tool: 'Fetch', host: '*.example.org' }))).toBe('Allow Fetch on example.org and its subdomains everywhere');
  expect(describeRule(ruleOf({ tool: 'mcp__a__*' }))).toBe('Allow every call of any tool that starts with mcp__a__ everywhere');
});
