import { describe, expect, test } from 'vitest';
import { ruleOf } from '../../../test/support/policy.ts';
import { checkPattern } from './pattern.ts';

describe('an invalid rule is refused with a reason when it is created', () => {
  const refused = [
    [{ tool: 'Shell', command: 'git status > x' }, 'redirection'],
    [{ tool: 'Shell', command: 'echo $HOME' }, 'variable'],
    [{ tool: 'Shell', command: '*' }, 'program name is not literal'],
    [{ tool: 'Shell', command: 'gi* status' }, 'program name is not literal'],
    [{ tool: 'Shell', command: '  ' }, 'no command'],
    [{ tool: 'Shell', command: 'ls ?' }, 'only * is a wildcard'],
    [{ tool: 'Shell', command: 'ls ~/x' }, 'only * is a wildcard'],
    [{ tool: 'Shell', command: 'sudo *' }, '"sudo" can run'],
    [{ tool: 'Shell', command: 'bash -c *' }, '"bash" can run'],
    [{ tool: 'Shell', command: 'npm exec *' }, 'npm exec'],
    [{ tool: 'Shell', command: 'git push *' }, 'git push'],
    [{ tool: 'Shell', command: 'xargs rm' }, 'xargs'],
    [{ tool: 'Shell', command: 'find . -delete' }, 'find'],
    [{ tool: 'Shell', command: 'ls\u200b' }, 'U+200B'],
    [{ tool: 'Shell', command: 'ls', path: 'src' }, 'one pattern'],
    [{ tool: 'S*ell' }, 'one * at the end'],
    [{ tool: '*' }, 'cannot allow everything'],
    [{ tool: 'Edit', path: '../x' }, '".."'],
    [{ tool: 'Edit', path: 'src/**.ts' }, 'must stand alone'],
    [{ tool: 'Edit', path: '~/x' }, 'Write the full path'],
    [{ tool: 'Fetch', host: 'https://example.org' }, 'host name'],
    [{ tool: 'Fetch', host: 'example.org/x' }, 'host name'],
    [{ tool: 'Fetch', host: '*' }, 'host name'],
    [{ tool: 'Fetch', host: '*.com' }, 'too broad'],
    [{ tool: 'Fetch', host: 'exa*.org' }, 'host name'],
    [{ tool: 'Shell', scope: { kind: 'project', folder: 'app' } as const }, 'absolute path'],
  ] as const;
  for (const [body, why] of refused) test(JSON.stringify(body), () => expect(checkPattern(ruleOf(body))).toContain(why));
});

test('a command that cannot be allowed can still be denied', () => {
  for (const command of ['sudo *', 'xargs *', 'eval *', 'git push *', 'find * -delete'])
    expect(checkPattern(ruleOf({ tool: 'Shell', command, behavior: 'deny' }))).toBeUndefined();
  expect(checkPattern(ruleOf({ tool: '*', behavior: 'deny' }))).toBeUndefined();
});
