import { describe, expect, test } from 'vitest';
import { allowing, callOf, ruleOf, shell } from '../../../test/support/policy.ts';
import type { Call } from './judge.ts';
import { judgeBy } from './judge.ts';
import { propose } from './propose.ts';
import { lexical } from './shell/paths.ts';

const GUARDED = ['/home/u/.signalbox', '~/.signalbox'];

/** Even with a rule that has exactly the same words. */
const isAllowed = (call: Call, exact: string): boolean =>
  judgeBy([ruleOf({ tool: 'Shell' }), ...allowing('cat *', 'npm run *', exact)], lexical, GUARDED)(call) !== undefined;

const home = (command: string): Call => ({ ...shell(command), cwd: '/home/u' });

describe("[R352] no allow rule covers a command that names Signalbox's own data", () => {
  for (const command of [
    'cat /home/u/.signalbox/token',
    'cat .signalbox/token',
    'cat src/../.signalbox/token',
    'cat ./.signalbox//token',
    'cat .signal*/token',
    'cat .s?gnalbox/token',
    "cat '/home/u/.signalbox/token'",
    'bash -c "cat /home/u/.signalbox/token"',
    "bash -c 'cat .signalbox/token'",
    'cp .signalbox/token x',
    'mytool --file=.signalbox/token',
    'mytool -f.signalbox/token',
    'ls .signalbox',
    'cat $SIGNALBOX_DATA/token',
    'cat "$SIGNALBOX_DATA"/token',
    'SIGNALBOX_RUN= cat .signalbox/token',
    'cd .signalbox && cat token',
    'find .signalbox -name token',
    'ln -s .signalbox x',
    'git -C .signalbox status',
    'cat < .signalbox/token',
    'echo x > .signalbox/config.json',
  ])
    test(command, () => expect(isAllowed(home(command), command)).toBe(false));
  test('cat ~/.signalbox/token, and a command that runs in it', () => {
    expect(isAllowed(home('cat ~/.signalbox/token'), 'cat *')).toBe(false);
    expect(isAllowed(shell('cat token', '/home/u/.signalbox'), 'cat token')).toBe(false);
  });
  for (const command of ['cat notes.txt', 'cat .signalboxes', 'cat src/signalbox.ts', 'cat *.txt'])
    test(`not ${command}`, () => expect(isAllowed(home(command), command)).toBe(true));
});

describe('[R352] no allow rule covers the commands of Signalbox that decide', () => {
  for (const command of [
    'signalbox answer x allow',
    'signalbox --json answer x allow',
    'signalbox token add x',
    'signalbox rules add allow Bash --everywhere',
    'signalbox hooks install',
    'signalbox service install',
    'env -u SIGNALBOX_RUN signalbox answer x allow',
    'SIGNALBOX_RUN= signalbox answer x allow',
    'unset SIGNALBOX_RUN; signalbox answer x allow',
    'SIGNALBOX_TOKEN=x signalbox --data /tmp token list',
    'echo x | xargs signalbox answer',
    'timeout 5 signalbox answer x allow',
    'nohup signalbox service remove &',
    '$(which signalbox) answer x allow',
    'sh -c "exec signalbox answer x allow"',
    'npx signalbox answer x allow',
    'npx --no-install signalbox token',
    'npx signalbox@latest rules',
    'npm exec signalbox -- answer x',
    './node_modules/.bin/signalbox answer x',
    'node /opt/signalbox/dist/main.js answer x',
    "bash -c 'signalbox answer x allow'",
    'ls && signalbox answer x allow',
  ])
    test(command, () => expect(isAllowed(shell(command), command)).toBe(false));
  for (const command of ['signalbox ls', 'signalbox doctor', 'cat signalbox.md', 'npm run rules', 'cat docs/rules'])
    test(`not ${command}`, () => expect(isAllowed(shell(command), command)).toBe(true));
});

test('[R352] no path rule covers the data folder, and none is offered', () => {
  const rules = [ruleOf({ tool: 'Read', path: '/**' }), ruleOf({ tool: 'Read', path: '/home/u/.signalbox/**' }), ruleOf({ tool: 'Read' })];
  const read = (path: string): Call => callOf('Read', { kind: 'read', paths: [path] }, { cwd: '/home/u' });
  expect(judgeBy(rules, lexical, GUARDED)(read('/home/u/.signalbox/token'))).toBeUndefined();
  expect(judgeBy(rules, lexical, GUARDED)(read('.signalbox/journal.db'))).toBeUndefined();
  expect(judgeBy(rules, lexical, GUARDED)(read('/home/u/a.txt'))?.behavior).toBe('allow');
  expect(propose(read('.signalbox/token'), lexical, GUARDED)).toEqual({ cannot: expect.stringContaining('Signalbox') as string, guarded: true });
  const denied = judgeBy([ruleOf({ tool: 'Read', behavior: 'deny' })], lexical, GUARDED);
  expect(denied(read('.signalbox/token'))?.behavior).toBe('deny');
});
