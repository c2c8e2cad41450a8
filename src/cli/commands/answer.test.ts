import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal } from '../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { Command, CommandOf } from '../../protocol/command.ts';
import type { EventBodyOf } from '../../protocol/event.ts';
import type { RequestId, SessionId } from '../../protocol/ids.ts';
import { writeServerFile } from '../../server/server-file.ts';
import { runCli } from '../run-cli.ts';

let server: TestServer;
let answers: CommandOf<'permission.answer'>[];
beforeEach(async () => {
  server = await startTestServer();
  writeServerFile(server.dataDir, { url: server.running.localUrl, pid: process.pid });
  answers = [];
  server.engine.refuseWith((command: Command) => {
    if (command.type === 'permission.answer') answers.push(command);
    return undefined;
  });
  await server.post('/api/sessions', { id: 's', agent: 'stand-in', cwd: '/tmp', title: 'Flaky test' });
});
afterEach(() => server.close());

const command = 'npm test';
const ask = (requestId: string, fields: Partial<EventBodyOf<'permission.requested'>> = {}) =>
  server.engine.observe('s' as SessionId, {
    type: 'permission.requested',
    requestId: requestId as RequestId,
    agentRequestId: requestId,
    tool: 'Shell',
    input: { command, timeout: 5 },
    kind: 'tool',
    subject: { kind: 'command', command },
    ...fields,
  });
const questions = [
  { question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
  { question: 'Which sizes?', multiSelect: true, options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }] },
];

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const terminal = createTerminal({ dataDir: server.dataDir });
  const code = await runCli(argv, { ...terminal.deps, env: { ...terminal.deps.env, ...env } });
  return { code, out: terminal.out(), err: terminal.err() };
}

const flagsAndBodies: readonly (readonly [flags: readonly string[], body: object])[] = [
  [['--allow'], { behavior: 'allow' }],
  [['allow'], { behavior: 'allow' }],
  [['--deny', '--message', 'not now'], { behavior: 'deny', message: 'not now' }],
  [['--deny', '--interrupt'], { behavior: 'deny', interrupt: true }],
  [['--allow', '--remember', 'project'], { behavior: 'allow', remember: { scope: 'project' } }],
];
for (const [flags, body] of flagsAndBodies) {
  test(`"answer r:1 ${flags.join(' ')}" sends that answer`, async () => {
    ask('r:1');
    expect(await run(['answer', 'r:1', ...flags])).toMatchObject({ code: 0, err: '' });
    expect(answers).toMatchObject([{ requestId: 'r:1', ...body }]);
  });
}

test('a prefix of an id is enough when it matches one request', async () => {
  ask('r1:abc');
  ask('r1:abd');
  expect((await run(['answer', 'r1:ab', '--allow'])).err).toContain('"r1:ab" matches r1:abc and r1:abd');
  expect((await run(['answer', 'r1:abd', '--allow'])).out).toBe('Allowed r1:abd\n');
  expect((await run(['answer', 'r1', '--deny'])).out).toBe('Denied r1:abc\n');
});

test('the server says when a request was already answered', async () => {
  ask('r:1');
  await run(['answer', 'r:1', '--allow']);
  const again = await run(['answer', 'r:1', '--deny']);
  expect(again.code).toBe(1);
  expect(again.err).toContain('was allowed');
});

test('--edit replaces the command and keeps the other arguments', async () => {
  ask('r:1');
  const file = join(server.dataDir, 'command.sh');
  writeFileSync(file, 'npm test -- --bail\n');
  await run(['answer', 'r:1', '--allow', '--edit', file]);
  expect(answers).toMatchObject([{ updatedInput: { command: 'npm test -- --bail', timeout: 5 } }]);
});

test('--editor opens the person’s editor; when the editor fails, nothing is sent', async () => {
  ask('r:1');
  const editor = join(server.dataDir, 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\n[ "$1" = fail ] && exit 3\necho "echo edited" > "$1"\n');
  chmodSync(editor, 0o700);
  expect((await run(['answer', 'r:1', '--allow', '--editor'], { EDITOR: `${editor} fail` })).err).toContain('Nothing was sent');
  expect(answers).toEqual([]);
  await run(['answer', 'r:1', '--allow', '--editor'], { EDITOR: editor });
  expect(answers).toMatchObject([{ updatedInput: { command: 'echo edited', timeout: 5 } }]);
});

test('arguments without a command are edited as JSON, and invalid JSON is not sent', async () => {
  ask('r:1', { input: { n: 1 }, subject: { kind: 'other' } });
  const file = join(server.dataDir, 'arguments.json');
  writeFileSync(file, 'n = 2');
  expect((await run(['answer', 'r:1', '--allow', '--edit', file])).err).toContain('not a JSON object');
  writeFileSync(file, '{"n":2}');
  await run(['answer', 'r:1', '--allow', '--edit', file]);
  expect(answers).toMatchObject([{ updatedInput: { n: 2 } }]);
});

test('questions are answered by number or text, with one --choose per choice', async () => {
  ask('r:1', { kind: 'question', input: { questions }, subject: { kind: 'other' } });
  expect((await run(['answer', 'r:1', '--choose', '1=Blue'])).err).toContain('"Which sizes?" has no answer');
  await run(['answer', 'r:1', '--choose', '1=Blue', '--choose', 'Which sizes=S', '--choose', '2=L']);
  expect(answers).toMatchObject([{ behavior: 'allow', answers: { 'Which color?': 'Blue', 'Which sizes?': ['S', 'L'] } }]);
});

test('two questions with the same text are not answered', async () => {
  ask('r:1', { kind: 'question', input: { questions: [questions[0], questions[0]] }, subject: { kind: 'other' } });
  expect((await run(['answer', 'r:1', '--choose', '1=Blue', '--choose', '2=Red'])).err).toContain('two questions have the same text, "Which color?"');
  expect(answers).toEqual([]);
});

test('an edited command replaces the argument that runs, even if another has the same text', async () => {
  const file = join(server.dataDir, 'command.sh');
  writeFileSync(file, 'npm ci\n');
  ask('r:1', { input: { description: command, command }, subject: { kind: 'command', command, field: 'command' } });
  await run(['answer', 'r:1', '--allow', '--edit', file]);
  expect(answers).toMatchObject([{ updatedInput: { description: command, command: 'npm ci' } }]);
});

test('when it is unclear which argument runs, all of them are edited', async () => {
  const file = join(server.dataDir, 'command.sh');
  writeFileSync(file, 'npm ci\n');
  ask('r:1', { input: { description: command, command } });
  expect((await run(['answer', 'r:1', '--allow', '--edit', file])).err).toContain('not a JSON object');
});

test('the inbox shows every argument, and no path can fake an entry', async () => {
  const path = 'a\nr:9  2026-01-01 00:00  Safe: wants to read';
  ask('r:1', { input: { command, isUnsafe: true } });
  ask('r:2', { input: { file_path: path }, subject: { kind: 'read', paths: [path] } });
  ask('r:3', { input: { file_path: path }, subject: { kind: 'edit', paths: [path] } });
  const { out } = await run(['inbox']);
  expect(out).toContain('    npm test\n    isUnsafe: true\n');
  expect(out).not.toMatch(/^\s*r:9/m);
});

test('a plan is approved with the mode to continue in, and an unknown mode is refused', async () => {
  ask('r:1', { kind: 'plan', input: { plan: '1. go' }, subject: { kind: 'other' } });
  expect(await run(['answer', 'r:1', '--allow', '--mode', 'yolo'])).toMatchObject({ code: 2 });
  await run(['answer', 'r:1', '--allow', '--mode', 'acceptEdits']);
  expect(answers).toMatchObject([{ mode: 'acceptEdits' }]);
});

test('the inbox shows who wants what and where, oldest first, and one request in full', async () => {
  ask('r:1', { input: { command: 'a\nb\nc\nd' }, subject: { kind: 'command', command: 'a\nb\nc\nd' } });
  ask('r:2', { input: { command: 'ls \u202e' }, subject: { kind: 'command', command: 'ls \u202e' } });
  const { out } = await run(['inbox']);
  expect(out).toMatch(/^r:1 .*Flaky test: wants to run\n {4}a\n {4}b\n {4}c\n {4}… 1 more: signalbox inbox r:1\n {4}\(stand-in, in \/tmp\)\n\nr:2/);
  expect(out).toContain('ls \\u{202e}');
  expect((await run(['inbox', 'r:1'])).out).toContain('    c\n    d\n');
  expect(await run(['inbox', 'x'])).toMatchObject({ code: 1 });
});
