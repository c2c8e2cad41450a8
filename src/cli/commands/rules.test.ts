import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal } from '../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { RequestId, SessionId } from '../../protocol/ids.ts';
import type { RuleTest } from '../../protocol/rule.ts';
import { writeServerFile } from '../../server/server-file.ts';
import { runCli } from '../run-cli.ts';
import { testText } from '../shared/rules-text.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  writeServerFile(server.dataDir, { url: server.running.localUrl, pid: process.pid });
});
afterEach(() => server.close());

async function signalbox(...argv: readonly string[]) {
  const terminal = createTerminal({ dataDir: server.dataDir });
  const code = await runCli(argv, terminal.deps);
  return { code, out: terminal.out(), err: terminal.err() };
}

test('a rule is added, listed with its use count, and revoked', async () => {
  expect((await signalbox('rules')).out).toBe('No rules: you are asked about every request.\n');
  const added = await signalbox('rules', 'add', 'deny', 'Bash', '--command', 'git push *', '--project', 'work', '--note', 'a person pushes');
  const [rule] = server.engine.rules();
  expect(added).toMatchObject({ code: 0, out: `Created rule ${rule?.id}\n` });
  expect(rule).toMatchObject({ behavior: 'deny', command: 'git push *', scope: { kind: 'project', folder: '/tmp/work' }, note: 'a person pushes' });
  expect((await signalbox('rules')).out).toMatch(/deny +Bash +git push \* +\/tmp\/work +owner +0 +never\n$/);
  expect(JSON.parse((await signalbox('rules', '--json')).out)).toMatchObject({ id: rule?.id, uses: 0 });
  expect(await signalbox('rules', 'revoke', rule?.id ?? '')).toMatchObject({ code: 0, out: `Revoked rule ${rule?.id}\n` });
  expect(server.engine.rules()).toEqual([]);
});

test('a refusal shows the server’s own message', async () => {
  expect(await signalbox('rules', 'revoke', 'nobody')).toMatchObject({ code: 1, err: 'signalbox rules: There is no active rule nobody.\n' });
});

test('rules test does not create the rule', async () => {
  const tried = await signalbox('rules', 'test', 'allow', 'Bash', '--command', 'git status', '--everywhere');
  expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('would have allowed 0 of 0 past calls') });
  expect(server.engine.rules()).toEqual([]);
});

test('rules test says what the rule would have done, with risky calls marked', () => {
  const example = { sessionId: 's1' as SessionId, seq: 7, at: '', tool: 'Bash', words: 'rm -rf build\nls', isRisky: true, outcome: 'denied' };
  const tried: RuleTest = { calls: 530, matched: 412, asked: 80, matchedAsked: 60, notUnderstood: 9, cut: true, examples: [example] };
  expect(testText('allow', tried)).toBe(
    'This rule would have allowed 412 of 530 past calls (newest calls only), including 60 of the 80 that you were asked about.\n' +
      "9 calls can't be fully parsed, so no rule allows them.\n" +
      'Examples:\n  ! Bash: rm -rf build  (was denied, s1 #7)\n',
  );
});

test('answer --remember is sent with the answer', async () => {
  const asked: EventBody = { type: 'permission.requested', requestId: 'r:1' as RequestId, agentRequestId: '1', tool: 'Bash', input: {}, kind: 'tool' };
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1' });
  server.engine.observe('s1' as SessionId, asked);
  expect(await signalbox('answer', 'r:1', 'allow', '--remember', 'project')).toMatchObject({ code: 0, out: 'Allowed r:1\n' });
  expect(server.engine.events('s1' as SessionId, { after: 0, limit: 9 }).at(-1)).toMatchObject({ outcome: 'allowed', remember: { scope: 'project' } });
});
