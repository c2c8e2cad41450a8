import { describe, expect, test } from 'vitest';
import { allowing, callOf, denying, ruleOf, shell } from '../../../test/support/policy.ts';
import { SessionId } from '../../protocol/ids.ts';
import { type Call, judgeBy } from './judge.ts';
import { LINE_CHARS_MAX } from './shell/parse.ts';
import { lexical } from './shell/paths.ts';

const judge = (rules: Parameters<typeof judgeBy>[0], call: Call) => judgeBy(rules, lexical)(call);
const verdict = (rules: Parameters<typeof judgeBy>[0], call: Call) => judge(rules, call)?.behavior;

test('without a rule a person is asked', () => expect(judge([], shell('ls'))).toBeUndefined());

test('[R151] a rule for `git status` does not let `git status && rm -rf x` pass', () => {
  expect(verdict(allowing('git status'), shell('git status'))).toBe('allow');
  expect(verdict(allowing('git status'), shell('git status && rm -rf x'))).toBeUndefined();
});

test('every command of a line needs a rule; all are named, the first is the author', () => {
  const rules = allowing('npm test', 'git status', 'ls *');
  const found = judge(rules, shell('git status && npm test && git status'));
  expect(found?.rules.map(({ id }) => id)).toEqual(['rule-1', 'rule-0']);
});

test('a rule of several commands allows just that line', () => {
  const rules = allowing('cd /work/app && npm test');
  expect(verdict(rules, shell('cd /work/app  &&  npm "test"'))).toBe('allow');
  for (const other of ['cd /work/app', 'npm test', 'cd /work/app; npm test', 'cd /work/app && npm test && ls', 'cd /work && npm test']) {
    expect(verdict(rules, shell(other)), other).toBeUndefined();
  }
});

describe('positions of a command pattern', () => {
  const cases = [
    ['git diff *', 'git diff', true],
    ['git diff *', 'git diff a b', true],
    ['git diff *', 'git difftool', false],
    ['ls * src', 'ls -l src', true],
    ['ls * src', 'ls src', false],
    ['ls * src', 'ls -l -a src', false],
    ['npm run test:*', 'npm run test:unit', true],
    ['npm run test:*', 'npm run test', false],
    ['npm run test:*', 'npm run test:unit extra', false],
    ["echo '*'", 'echo "*"', true],
    ["echo '*'", 'echo x', false],
    ["echo '*'", 'echo *', false],
    ['cat src/*', 'cat src/a.ts', true],
    ['cat src/*', 'cat src/*.ts', false],
    ['cat src/*', 'cat src/../../etc/passwd', false],
    ['cat src/*', 'cat src/..', false],
    ['cat src/*', 'cat src/a..b', true],
    ['cat *', 'cat src/*.ts', true],
    ['sudo apt update', 'sudo apt update', true],
    ['sudo apt update', 'sudo apt update -y', false],
    ['"git" status', 'git "status"', true],
  ] as const;
  for (const [pattern, command, passes] of cases) {
    test(`\`${pattern}\` ${passes ? 'allows' : 'does not allow'} \`${command}\``, () =>
      expect(verdict(allowing(pattern), shell(command))).toBe(passes ? 'allow' : undefined));
  }
});

test('a rule for every call of a tool does not allow a line that is not understood or could run anything', () => {
  const rules = [ruleOf({ tool: 'Shell' })];
  expect(verdict(rules, shell('mkdir x && touch x/y'))).toBe('allow');
  for (const line of ['echo $(id)', 'ls > x', 'sudo ls', 'bash x.sh']) expect(verdict(rules, shell(line)), line).toBeUndefined();
});

describe('a denied command is found wherever it can be seen', () => {
  const rules = [...denying('rm *', 'git push *', 'curl *'), ...allowing('git *', 'ls *'), ruleOf({ tool: 'Shell' })];
  const lines = [
    ...[
      'rm x',
      'rm',
      'git status && rm x',
      'ls; rm x',
      'ls | rm x',
      'ls & rm x',
      '/bin/rm x',
      'RM x',
      "r''m x",
      '\\rm x',
      '(rm x)',
      'echo $(rm x)',
      'echo "a $(rm x) b"',
      'echo `rm x`',
    ],
    ...[
      'echo "$(echo ")"; rm x)"',
      'cat <(rm x)',
      'ls\nrm x',
      'ls > f; rm x',
      '> f rm x',
      'rm x > f',
      'X=1 rm x',
      'env X=1 rm x',
      'sudo rm x',
      'sudo -u root rm x',
      'nohup rm x',
    ],
    ...[
      'bash -c "rm x"',
      'sudo bash -c "ls && rm x"',
      'eval "rm x"',
      'eval rm x',
      'ls | xargs rm',
      'ls | xargs -I{} rm {}',
      'find . -exec rm {} +',
      'if true; then rm x; fi',
      '! rm x',
    ],
    ...[
      'for f in *; do rm $f; done',
      '{ rm x; }',
      'f() { rm x; }; f',
      'f() rm x',
      'for f (a b) rm x',
      'diff <(ls) <(rm x)',
      'time rm x',
      'case a in a) rm x;; esac',
      "cat <<E\ndon't\nE\nrm x",
      'r\\\nm x',
      'git -C /x push',
      'git &> f push',
      'git 2>&1 push',
      'git push',
      'git -c a=b push -f',
    ],
    ...[`${'true && '.repeat(200)}rm x`, 'echo "open && rm x\nrm x', 'ssh host "rm x"', 'timeout 5 curl x', 'while curl x; do ls; done'],
  ];
  for (const line of lines) test(JSON.stringify(line).slice(0, 100), () => expect(verdict(rules, shell(line))).toBe('deny'));
  for (const line of ['ls rm', 'echo "rm x"', 'git status', 'ls rmdir']) test(`not ${line}`, () => expect(verdict(rules, shell(line))).toBe('allow'));
});

test('a line with thousands of special characters is searched to its end', () => {
  const rules = denying('rm *', 'git push *');
  for (const line of [
    '$('.repeat(5_000),
    '"$('.repeat(5_000),
    '`('.repeat(5_000),
    'eval '.repeat(5_000),
    `sudo ${'git -a '.repeat(5_000)}`,
    '('.repeat(5_000),
  ]) {
    expect(verdict(rules, shell(line))).toBeUndefined();
    expect(verdict(rules, shell(`${line} rm x`)), line.slice(0, 20)).toBe('deny');
  }
});

test('[R154] a deny wins over every allow, whichever is older or narrower', () => {
  const session = { kind: 'session', sessionId: SessionId.parse('s1') } as const;
  const rules = [ruleOf({ tool: 'Shell', command: 'ls', scope: session }, 1), ruleOf({ tool: 'Sh*', behavior: 'deny' }, 9)];
  expect(judge(rules, shell('ls'))).toEqual({ behavior: 'deny', rules: [rules[1]] });
});

test('the same rules in another order give the same author', () => {
  const rules = [...allowing('ls *', 'ls', 'ls -l'), ...denying('rm *', 'rm -r *')];
  for (const line of ['ls -l', 'rm -r x']) expect(judge(rules.toReversed(), shell(line))).toEqual(judge(rules, shell(line)));
});

describe('where a rule applies', () => {
  const inFolder = (folder: string) => [ruleOf({ tool: 'Shell', command: 'ls', scope: { kind: 'project', folder } })];
  const cases = [
    ['/work/app', undefined, true],
    ['/work/app/', undefined, true],
    ['/work', undefined, true],
    ['/', undefined, true],
    ['/work/ap', undefined, false],
    ['/work/app/src', undefined, false],
    ['/work/app', 'src', true],
    ['/work/app', '../evil', false],
    ['/work/app', '/etc', false],
  ] as const;
  for (const [folder, cwd, applies] of cases) {
    test(`${folder}, a command in ${cwd ?? "the session's folder"}: ${applies}`, () =>
      expect(verdict(inFolder(folder), shell('ls', cwd))).toBe(applies ? 'allow' : undefined));
  }
  test('another session, another agent, another tool', () => {
    const call = shell('ls');
    const other = { ...call, sessionId: SessionId.parse('s2') };
    const rules = [ruleOf({ tool: 'Shell', command: 'ls', scope: { kind: 'session', sessionId: call.sessionId } })];
    expect(verdict(rules, call)).toBe('allow');
    expect(verdict(rules, other)).toBeUndefined();
    expect(verdict([ruleOf({ tool: 'Shell', agent: call.agent })], call)).toBe('allow');
    expect(verdict([{ ...ruleOf({ tool: 'Shell' }), agent: ruleOf({ tool: 'x', agent: 'other' as never }).agent as never }], call)).toBeUndefined();
    expect(verdict([ruleOf({ tool: 'Shel' })], call)).toBeUndefined();
    expect(verdict([ruleOf({ tool: 'mcp__a__*' })], callOf('mcp__a__b', { kind: 'mcp', server: 'a', tool: 'b' }))).toBe('allow');
  });
});

describe('files', () => {
  const edit = (...paths: string[]) => callOf('Edit', { kind: 'edit', paths });
  const cases = [
    ['src/**', 'src/a.ts', true],
    ['src/**', '/work/app/src/deep/a.ts', true],
    ['src/**', 'src', true],
    ['src/**', 'srcs/a.ts', false],
    ['src/**', 'src/../.env', false],
    ['src/**', '../app/src/a.ts', true],
    ['src/**', '../src/a.ts', false],
    ['src/*', 'src/a.ts', true],
    ['src/*', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/x/y/a.ts', true],
    ['src/**/*.ts', 'src/a.js', false],
    ['**', 'anything/at/all', true],
    ['**', '/etc/passwd', false],
    ['/etc/*', '/etc/passwd', true],
    ['/**', '/etc/passwd', true],
    ['./a.ts', 'a.ts', true],
    ['pages/[id].tsx', 'pages/[id].tsx', true],
    ['pages/[id].tsx', 'pages/i.tsx', false],
    ['*', '.', false],
    ['**', '.git/hooks/pre-commit', false],
    ['**', 'src/.env', false],
    ['src/*', 'src/.env', false],
    ['*.json', '.json', false],
    ['.github/**', '.github/workflows/a.yml', true],
    ['.*', '.env', true],
    ['**/.env', 'a/b/.env', true],
  ] as const;
  for (const [path, file, passes] of cases) {
    test(`${path} and ${file}: ${passes}`, () => expect(verdict([ruleOf({ tool: 'Edit', path })], edit(file))).toBe(passes ? 'allow' : undefined));
  }

  test('[R155] a symlink is resolved before a rule allows a path, and for a deny both the link and its target count', () => {
    const real = (path: string, cwd: string) => lexical(path, cwd).replace('/work/app/src/link', '/etc');
    const call = edit('src/link/passwd');
    expect(judgeBy([ruleOf({ tool: 'Edit', path: 'src/**' })], real)(call)).toBeUndefined();
    expect(judgeBy([ruleOf({ tool: 'Edit', path: '/etc/**', behavior: 'deny' })], real)(call)?.behavior).toBe('deny');
    expect(judgeBy([ruleOf({ tool: 'Edit', path: 'src/link/**', behavior: 'deny' })], real)(call)?.behavior).toBe('deny');
  });

  test('every file must be allowed, one denied file is enough, and no file at all is not allowed', () => {
    const rules = [
      ruleOf({ tool: 'Edit', path: 'src/**' }, 1),
      ruleOf({ tool: 'Edit', path: 'docs/**' }, 2),
      ruleOf({ tool: '*', path: '**/.env', behavior: 'deny' }, 3),
    ];
    expect(judge(rules, edit('docs/a', 'src/b'))?.rules.map(({ id }) => id)).toEqual(['rule-2', 'rule-1']);
    expect(verdict(rules, edit('docs/a', 'lib/b'))).toBeUndefined();
    expect(verdict(rules, edit('docs/a', 'src/.ENV'))).toBe('deny');
    expect(verdict([ruleOf({ tool: 'Edit' })], edit())).toBeUndefined();
  });

  test('a path that is not absolute and normalized after resolving is not allowed', () => {
    expect(judgeBy([ruleOf({ tool: 'Edit', path: '**' })], (path) => path)(edit('a/../../x'))).toBeUndefined();
    expect(judgeBy([ruleOf({ tool: 'Edit', path: '**' })], () => '/work/app/../x')(edit('a'))).toBeUndefined();
  });
});

describe('addresses', () => {
  const cases = [
    ['example.org', 'https://example.org/x', 'allow'],
    ['example.org', 'http://EXAMPLE.org./x', 'allow'],
    ['example.org', 'https://example.org:443/', 'allow'],
    ['example.org', 'https://example.org:8443/', undefined],
    ['example.org:8443', 'https://example.org:8443/', 'allow'],
    ['example.org', 'https://sub.example.org/', undefined],
    ['*.example.org', 'https://sub.example.org/', 'allow'],
    ['*.example.org', 'https://example.org/', 'allow'],
    ['*.example.org', 'https://evilexample.org/', undefined],
    ['example.org', 'https://example.org.evil.net/', undefined],
    ['example.org', 'https://example.org@evil.net/', undefined],
    ['example.org', 'https://evil.net@example.org/', undefined],
    ['example.org', 'https://@example.org/', undefined],
    ['example.org', 'https://example.org\\@evil.net/', undefined],
    ['example.org', 'https://evil.net\\@example.org/', undefined],
    ['example.org', 'https://exam\tple.org/', undefined],
    ['example.org', 'https://evil.net/#@example.org', undefined],
    ['example.org', 'ftp://example.org/', undefined],
    ['example.org', 'file://example.org/etc/passwd', undefined],
    ['example.org', 'javascript://example.org/%0aalert(1)', undefined],
    ['example.org', 'example.org', undefined],
    ['bücher.example', 'https://xn--bcher-kva.example/', 'allow'],
    ['bucher.example', 'https://bücher.example/', undefined],
    ['127.0.0.1', 'http://2130706433/', 'allow'],
    ['localhost:3000', 'http://localhost:3000/', 'allow'],
    ['[::1]', 'http://[::1]/', 'allow'],
  ] as const;
  for (const [host, url, expected] of cases) {
    test(`${host} and ${JSON.stringify(url)}: ${expected}`, () =>
      expect(verdict([ruleOf({ tool: 'Fetch', host })], callOf('Fetch', { kind: 'web', url }))).toBe(expected));
  }
  test('a denied host is denied on every port, with any credentials and subdomain', () => {
    const rules = [ruleOf({ tool: 'Fetch', host: '*.example.org', behavior: 'deny' }), ruleOf({ tool: 'Fetch' })];
    for (const url of ['https://example.org:99/', 'https://a:b@x.example.org/', 'http://EXAMPLE.ORG./'])
      expect(verdict(rules, callOf('Fetch', { kind: 'web', url }))).toBe('deny');
  });
});

test('a pattern of one kind says nothing about calls of another', () => {
  const rules = [ruleOf({ tool: '*', command: 'ls' }), ruleOf({ tool: '*', path: '/**' }), ruleOf({ tool: '*', host: 'example.org' })];
  expect(verdict(rules, callOf('Other', { kind: 'other' }))).toBeUndefined();
  expect(verdict(rules, callOf('Search', { kind: 'web', query: 'example.org' }))).toBeUndefined();
  expect(verdict(rules, shell('cat /x'))).toBeUndefined();
});

test('a line longer than anyone would read is never allowed by a rule', () => {
  const judge = judgeBy([...allowing('echo *')], lexical);
  expect(judge(shell(`echo ${'a'.repeat(LINE_CHARS_MAX)}`))).toBeUndefined();
  expect(judge(shell(`echo ${'a'.repeat(LINE_CHARS_MAX - 10)}`))?.behavior).toBe('allow');
});
