import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DemoSetup, openDemoSetup } from '../../../test/support/agents/demo-setup.ts';
import { CommandId } from '../../protocol/ids.ts';
import { drawSignal } from './program/picture.ts';

let setup: DemoSetup;
beforeEach(() => {
  setup = openDemoSetup();
});
afterEach(() => setup.close());

const requestSetting = (agent: ReturnType<DemoSetup['start']>, setting: 'model' | 'mode' | 'thinking', value: string) =>
  agent.send({ kind: 'set', commandId: CommandId.parse(`set ${value}`), setting, value });

test('a message mid-turn joins the turn, is taken once and acknowledged, and can end the turn', async () => {
  const agent = setup.start();
  agent.input('c1', 'wait');
  await agent.next('assistant.text');
  const steer = (id: string, text: string) => agent.send({ kind: 'input', commandId: CommandId.parse(id), text, images: [], steer: true });
  steer('c2', 'look left');
  expect(await agent.next('input.taken')).toMatchObject({ inputId: 'c2', text: 'look left' });
  expect(await agent.next('assistant.text')).toMatchObject({ text: expect.stringContaining('look left') });
  steer('c3', 'enough');
  expect(await agent.next('turn.ended')).toMatchObject({ isError: false, aborted: false });
  expect(agent.seen.filter((one) => one.type === 'turn.began')).toHaveLength(1);
  steer('c2', 'look left');
  expect(await agent.next('input.dropped')).toMatchObject({ inputId: 'c2' });
});

test('a long answer pauses at the end of a line for a message, then continues', async () => {
  const agent = setup.start({ pace: '1' });
  agent.input('c1', 'long 200');
  await agent.next('delta');
  agent.send({ kind: 'input', commandId: CommandId.parse('c2'), text: 'shorter', images: [], steer: true });
  await agent.next('turn.ended');
  const texts = agent.seen.flatMap((one) => (one.type === 'assistant.text' ? [one.text] : []));
  expect(texts[1]).toContain('shorter');
  expect([texts[0], ...texts.slice(2)].join('').match(/\S+/g)).toHaveLength(200);
});

test('it reports how many images it got, their types and sizes', async () => {
  const agent = setup.start();
  const png = drawSignal(8).toString('base64');
  agent.send({ kind: 'input', commandId: CommandId.parse('c1'), text: 'echo look', images: [{ mediaType: 'image/png', base64: png }], steer: false });
  const bytes = Buffer.byteLength(png, 'base64');
  expect(await agent.next('assistant.text')).toMatchObject({ text: expect.stringContaining(`a picture (PNG of ${bytes} bytes)`) });
});

test('it draws an image as the result of a tool', async () => {
  const agent = setup.start();
  agent.input('c1', 'picture');
  const done = await agent.next('tool.completed');
  expect(
    Buffer.from(done.rawImages?.[0]?.base64 ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

const confirmed = [
  ['model', 'semaphore-1', { type: 'model.changed', model: 'semaphore-1' }],
  ['mode', 'plan', { type: 'mode.changed', mode: 'plan' }],
  ['thinking', 'off', { type: 'thinking.changed', thinking: 'off' }],
] as const;
for (const [setting, value, expected] of confirmed) {
  test(`a request for another ${setting} is confirmed`, async () => {
    const agent = setup.start();
    requestSetting(agent, setting, value);
    expect(await agent.next(expected.type)).toMatchObject(expected);
  });
}

test('an unknown model is refused with a reason', async () => {
  const agent = setup.start();
  requestSetting(agent, 'model', 'opus');
  expect(await agent.next('setting.refused')).toMatchObject({ setting: 'model', value: 'opus', reason: expect.stringContaining('signal-1') });
});

test('in accept-edits mode it writes without asking, and still asks before it runs a command', async () => {
  const agent = setup.start({ mode: 'acceptEdits' });
  agent.input('c1', 'write freely');
  expect(await agent.next('tool.completed')).toMatchObject({ isError: false });
  await agent.next('turn.ended');
  agent.input('c2', 'run date');
  await agent.next('permission.asked');
});

test('in plan mode it proposes first; the approval includes the mode to continue in', async () => {
  const agent = setup.start({ mode: 'plan' });
  agent.input('c1', 'write by plan');
  const plan = await agent.next('permission.asked');
  expect(plan.kind).toBe('plan');
  expect(existsSync(join(setup.folder, 'demo-notes.md'))).toBe(false);
  agent.answer(plan, { behavior: 'allow', mode: 'acceptEdits' });
  expect(await agent.next('mode.changed')).toMatchObject({ mode: 'acceptEdits' });
  await agent.next('turn.ended');
  expect(readFileSync(join(setup.folder, 'demo-notes.md'), 'utf8')).toContain('by plan');
});

test('a granted suggestion avoids the next request of the same kind', async () => {
  const agent = setup.start();
  agent.input('c1', 'run date');
  const asked = await agent.next('permission.asked');
  agent.answer(asked, { behavior: 'allow', granted: { suggestions: asked.suggestions ?? [], forSession: true } });
  await agent.next('turn.ended');
  agent.input('c2', 'run date');
  expect(await agent.next('turn.ended')).toMatchObject({ denials: 0 });
  expect(agent.seen.filter((one) => one.type === 'permission.asked')).toHaveLength(1);
});

const subjects = [
  ['web https://example.org/x', { kind: 'web', url: 'https://example.org/x' }],
  ['mcp', { kind: 'mcp', server: 'signals', tool: 'set_aspect' }],
  ['run date', { kind: 'command', command: 'date', field: 'command' }],
] as const;
for (const [text, subject] of subjects) {
  test(`“${text}” asks about the right subject`, async () => {
    const agent = setup.start();
    agent.input('c1', text);
    const asked = await agent.next('permission.asked');
    expect(asked.subject).toEqual(subject);
    agent.answer(asked, { behavior: 'allow' });
    expect(await agent.next('tool.completed')).toMatchObject({ isError: false });
  });
}

test('several edits of a file are one request and one change', async () => {
  const agent = setup.start();
  agent.input('c1', 'edits');
  agent.answer(await agent.next('permission.asked'), { behavior: 'allow' });
  const asked = await agent.next('permission.asked');
  expect(asked.subject).toEqual({ kind: 'edit', paths: [join(setup.folder, 'demo-notes.md')] });
  agent.answer(asked, { behavior: 'allow' });
  expect(await agent.next('tool.completed')).toMatchObject({ isError: false });
  await agent.next('turn.ended');
  expect(readFileSync(join(setup.folder, 'demo-notes.md'), 'utf8')).toMatch(/edited 3 lines in.*looked at again/s);
});

test('a subagent works inside its call and asks under its own name', async () => {
  const agent = setup.start();
  agent.input('c1', 'subagent');
  const asked = await agent.next('permission.asked');
  const task = agent.seen.find((one) => one.type === 'tool.started');
  expect(asked.subagent).toBe('explorer');
  agent.answer(asked, { behavior: 'allow' });
  expect(await agent.next('tool.completed')).toMatchObject({ parentToolUseId: task?.toolUseId });
  expect(await agent.next('tool.completed')).toMatchObject({ toolUseId: task?.toolUseId, output: expect.stringMatching(/^The folder has \d+ entries/) });
});

test('a limit is reported with its reset time, stays active until then, and is then reported as over', async () => {
  const agent = setup.start();
  agent.input('c1', 'limit 0.2');
  expect(await agent.next('limit.reported')).toMatchObject({ status: 'rejected', resetsAt: expect.stringMatching(/Z$/) });
  expect(await agent.next('turn.ended')).toMatchObject({ isError: true });
  expect(agent.seen.filter((one) => one.type === 'retry.reported')).toHaveLength(2);
  for (let tries = 0, status = ''; status !== 'allowed'; tries += 1) {
    agent.input(`again ${tries}`, 'echo there');
    status = (await agent.next('limit.reported')).status;
    expect(await agent.next('turn.ended')).toMatchObject({ isError: status !== 'allowed' });
  }
});

test('a fork at a message remembers everything up to it, and leaves the original unchanged', async () => {
  const first = setup.start();
  first.input('c1', 'echo one');
  const one = await first.next('assistant.text');
  await first.next('turn.ended');
  first.input('c2', 'echo two');
  await first.next('turn.ended');
  const fork = setup.start({ forkOf: 's1', after: one.uuid ?? '' });
  fork.input('c3', 'remember');
  expect(await fork.next('assistant.text')).toMatchObject({ text: 'You said, in this order:\n\n1. echo one' });
  first.input('c4', 'remember');
  expect(await first.next('assistant.text')).toMatchObject({ text: expect.stringContaining('2. echo two') });
});
