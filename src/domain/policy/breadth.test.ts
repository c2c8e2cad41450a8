import { describe, expect, test } from 'vitest';
import { ruleOf } from '../../../test/support/policy.ts';
import { breadthOf } from './breadth.ts';

const project = { kind: 'project', folder: '/work/app' } as const;

describe('[R353] a broad rule says what it gives away', () => {
  const rows = [
    [{ tool: 'Bash' }, /scripts and tests.*an agent that can edit those files decides/],
    [{ tool: 'mcp__tracker__*' }, /with any arguments/],
    [{ tool: 'Bash', command: 'git *' }, /Commits.*hooks run.*still asked/],
    [{ tool: 'Bash', command: 'git commit *' }, /hooks run/],
    [{ tool: 'Bash', command: 'git log *' }, /Reads the repository/],
    [{ tool: 'Bash', command: 'npm run *' }, /project’s own code with npm/],
    [{ tool: 'Bash', command: 'vitest *' }, /project’s own code with vitest/],
    [{ tool: 'Bash', command: 'cat *' }, /\.env/],
    [{ tool: 'Bash', command: 'mytool *' }, /doesn’t know mytool/],
    [{ tool: 'Edit', path: '**' }, /except hidden names/],
    [{ tool: 'Edit', path: '/**' }, /Every file on this machine/],
    [{ tool: 'Fetch', host: '*.example.org' }, /subdomain/],
  ] as const;
  for (const [pattern, words] of rows) {
    test(JSON.stringify(pattern), () => {
      expect(breadthOf(ruleOf({ ...pattern, scope: project }))).toMatch(words);
      expect(breadthOf(ruleOf(pattern))).toMatch(/in every folder/);
      expect(breadthOf(ruleOf({ ...pattern, behavior: 'deny' }))).toBeUndefined();
    });
  }
  for (const pattern of [
    { tool: 'Bash', command: 'npm test' },
    { tool: 'Edit', path: 'src/a.ts' },
    { tool: 'Fetch', host: 'example.org' },
  ])
    test(`nothing about ${JSON.stringify(pattern)}`, () => expect(breadthOf(ruleOf(pattern))).toBeUndefined());
});
