import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DemoSetup, openDemoSetup } from '../../../test/support/agents/demo-setup.ts';
import { demo } from './index.ts';

let setup: DemoSetup;
let folder: string;
beforeEach(() => {
  setup = openDemoSetup();
  folder = setup.folder;
});
afterEach(() => setup.close());

const start: DemoSetup['start'] = (options) => setup.start(options);

test('a first-time user learns what this is and what to try (run from source)', async () => {
  const agent = start({ fromSource: true });
  agent.input('c1', 'hello');
  const answer = await agent.next('assistant.text');
  for (const word of ['Signalbox', 'write', 'run', 'think', 'fail', 'long', 'ask']) expect(answer.text).toContain(word);
  expect(await agent.next('turn.ended')).toMatchObject({ isError: false, aborted: false, stopReason: 'end_turn' });
});

test('its deltas add up to the finished text with the same item id', async () => {
  const agent = start();
  agent.input('c1', 'long 120');
  const text = await agent.next('assistant.text');
  const deltas = agent.seen.filter((one) => one.type === 'delta');
  expect(deltas.length).toBeGreaterThan(50);
  let at = 0;
  for (const delta of deltas) {
    expect(delta).toMatchObject({ itemId: text.itemId, offset: at });
    at += delta.text.length;
  }
  expect(deltas.map((delta) => delta.text).join('')).toBe(text.text);
});

test('it asks before it writes, and shows the change as a patch', async () => {
  const agent = start();
  agent.input('c1', 'write first things first');
  agent.answer(await agent.next('permission.asked'), { behavior: 'allow' });
  const created = await agent.next('tool.completed');
  expect(created).toMatchObject({ isError: false, change: { kind: 'create', path: join(folder, 'demo-notes.md') } });
  await agent.next('turn.ended');

  agent.input('c2', 'write and the second');
  agent.answer(await agent.next('permission.asked'), { behavior: 'allow' });
  const edited = await agent.next('tool.completed');
  expect(edited.change?.patch).toBe('@@ -1,3 +1,4 @@\n # Notes of the demo agent\n \n - first things first\n+- and the second\n');
  expect(edited.itemId).toBe(`${edited.toolUseId}:result`);
  expect(edited.parentItemId).toBe(edited.toolUseId);
  expect(readFileSync(join(folder, 'demo-notes.md'), 'utf8')).toBe('# Notes of the demo agent\n\n- first things first\n- and the second\n');
});

test('after a denial, nothing is written', async () => {
  const agent = start();
  agent.input('c1', 'write');
  agent.answer(await agent.next('permission.asked'), { behavior: 'deny', message: 'not today', interrupt: false });
  expect(await agent.next('tool.completed')).toMatchObject({ isError: true, output: 'not today' });
  expect(await agent.next('turn.ended')).toMatchObject({ denials: 1, aborted: false });
  expect(existsSync(join(folder, 'demo-notes.md'))).toBe(false);
});

test('a denial that stops the turn stops it', async () => {
  const agent = start();
  agent.input('c1', 'write');
  agent.answer(await agent.next('permission.asked'), { behavior: 'deny', message: 'stop', interrupt: true });
  expect(await agent.next('turn.ended')).toMatchObject({ denials: 1, aborted: true });
});

test('an edited input is what runs, and its output is real', async () => {
  const agent = start();
  agent.input('c1', 'run pwd');
  agent.answer(await agent.next('permission.asked'), { behavior: 'allow', updatedInput: { command: 'echo changed by a person' } });
  expect(await agent.next('tool.completed')).toMatchObject({ isError: false, output: 'changed by a person' });
});

test('it never runs a command that could do harm, even when allowed', async () => {
  const agent = start();
  agent.input('c1', 'run pwd');
  agent.answer(await agent.next('permission.asked'), { behavior: 'allow', updatedInput: { command: `touch ${folder}/x` } });
  expect(await agent.next('tool.completed')).toMatchObject({ isError: true });
  expect(existsSync(join(folder, 'x'))).toBe(false);
});

test('an interrupt ends the turn, keeps the text so far and leaves the process ready for more', async () => {
  const agent = start({ pace: '2' });
  agent.input('c1', 'long 5000');
  await agent.next('delta');
  agent.send({ kind: 'interrupt', requestId: 'i1' });
  expect(await agent.next('reply')).toMatchObject({ to: 'i1', ok: true });
  expect(await agent.next('assistant.text')).toMatchObject({ interrupted: true });
  expect(await agent.next('turn.ended')).toMatchObject({ aborted: true });
  agent.input('c2', 'echo still here');
  expect(await agent.next('assistant.text')).toMatchObject({ text: 'still here' });
});

test('an interrupt withdraws the pending request', async () => {
  const agent = start();
  agent.input('c1', 'ask');
  const asked = await agent.next('permission.asked');
  expect(asked.kind).toBe('question');
  agent.send({ kind: 'interrupt', requestId: 'i1' });
  expect(await agent.next('permission.withdrawn')).toMatchObject({ agentRequestId: asked.agentRequestId });
  expect(await agent.next('tool.completed')).toMatchObject({ toolUseId: asked.toolUseId, isError: true });
  expect(await agent.next('turn.ended')).toMatchObject({ aborted: true });
});

test('the answer to its question appears in its reply', async () => {
  const agent = start();
  agent.input('c1', 'ask');
  agent.answer(await agent.next('permission.asked'), { behavior: 'allow', updatedInput: { answers: { 'Which signal should I set?': 'Red' } } });
  expect(await agent.next('tool.completed')).toMatchObject({ output: 'You chose: Red.' });
});

test('it fails on request, and the turn says so', async () => {
  const agent = start({ mode: 'bypassPermissions' });
  agent.input('c1', 'fail');
  expect(await agent.next('turn.ended')).toMatchObject({ isError: true, errors: ['The demo agent failed because it was asked to.'] });
});

test('after a crash it resumes with everything it was sent, and uses no item id twice', async () => {
  const first = start();
  first.input('c1', 'echo one');
  const before = await first.next('assistant.text');
  first.input('c2', 'crash');
  expect(await first.exit()).toBe(3);

  const second = start({ resume: true });
  second.input('c3', 'remember');
  const after = await second.next('assistant.text');
  expect(after.text).toContain('1. echo one\n2. crash');
  expect(after.itemId).not.toBe(before.itemId);
});

test('an input it already took is dropped, and its record distinguishes taken from answered', async () => {
  const first = start();
  first.input('c1', 'echo one');
  await first.next('turn.ended');
  first.input('c2', 'crash');
  await first.exit();
  const second = start({ resume: true });
  second.input('c1', 'echo one');
  expect(await second.next('input.dropped')).toMatchObject({ inputId: 'c1' });
  const file = demo.memory!.file({ cwd: folder, agentSessionId: 's1', env: { HOME: folder } });
  const recall = (id: string) => demo.memory!.recall(readFileSync(file, 'utf8'), id);
  expect(['c1', 'c2', 'c3'].map(recall)).toEqual(['answered', 'taken', 'absent']);
});

test('resuming an unknown session fails with a readable error', async () => {
  const agent = start({ resume: true });
  expect(await agent.exit()).toBe(1);
  expect(agent.stderr()).toContain('No conversation found with session ID: s1');
});

test('at the end of input, it finishes what needs no person and gives up what waits for one', async () => {
  const agent = start();
  agent.input('c1', 'wait');
  await agent.next('assistant.text');
  agent.endInput();
  expect(await agent.next('turn.ended')).toMatchObject({ aborted: true });
  expect(await agent.exit()).toBe(0);
});

test('an invalid request is reported and does no harm', async () => {
  const agent = start();
  agent.raw('{half');
  expect(await agent.next('notice.shown')).toMatchObject({ level: 'warning' });
  agent.input('c1', 'echo fine');
  expect(await agent.next('assistant.text')).toMatchObject({ text: 'fine' });
});
