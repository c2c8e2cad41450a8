import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { withBundledProgram } from '../../../../test/support/bundle.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { CommandId } from '../../../protocol/ids.ts';
import type { Observation } from '../../../protocol/observation.ts';
import type { SendIntent, SessionStart } from '../../port/adapter.ts';
import { openclaw } from '../index.ts';
import { startTask } from './task.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const LIMIT_MS = 60_000; // Node with a loader on a busy machine

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The real program, with the adapter connected as the engine would do it. */
function connect(opening: SessionStart, fixture: string, from: 'one file' | 'source') {
  const env = { PATH: process.env.PATH ?? '' };
  const executable = join(ROOT, 'test/fixtures', fixture);
  const { command, args } = openclaw.launch({ executable, interpreter: process.execPath, packageRoot: ROOT, env, ...opening });
  const child = spawn(command, from === 'source' ? args : withBundledProgram(args), { env, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const observed: Observation[] = [];
  let state = openclaw.initial();
  const write = (lines: readonly string[]) => lines.forEach((line) => void child.stdin.write(`${line}\n`));
  createInterface(child.stdout).on('line', (line) => {
    const step = openclaw.translate(state, line);
    state = step.state;
    observed.push(...step.observations);
    write(step.replies);
  });
  write(openclaw.handshake(opening));
  const send = (intent: SendIntent) => write(openclaw.encode(intent, state));
  return { child, observed, send };
}

function startSession(options: { readonly model?: string } = {}, from: 'one file' | 'source' = 'one file') {
  const cwd = temporaryFolder('once');
  const opening = { cwd, options: { ephemeral: true, permissionMode: 'bypassPermissions', ...options }, mode: 'new', agentSessionId: 'a' } as const;
  const { child, observed, send } = connect(opening, 'openclaw-exec.mjs', from);
  const observation = (type: Observation['type']) =>
    waitFor(`${type} in ${JSON.stringify(observed)}`, () => observed.find((one) => one.type === type), LIMIT_MS);
  const input = async (commandId: string, text: string) => {
    await observation('agent.ready');
    send({ kind: 'input', commandId: CommandId.parse(commandId), text, images: [], steer: false });
  };
  return { child, cwd, observed, send, observation, input };
}

test('a session without a record is one task: its answer, its cost, and its calls', { timeout: LIMIT_MS }, async () => {
  const { cwd, observed, observation, input } = startSession({ model: 'p/m' }, 'source');
  await input('c1', 'do it');
  expect(await observation('turn.ended')).toMatchObject({
    isError: false,
    stopReason: 'end_turn',
    costUsd: 0.0012,
    usage: { inputTokens: 200, outputTokens: 40 },
  });
  const answer = `agent exec --message-file - --cwd ${cwd} --json --timeout 0 --model p/m <- do it`;
  expect(observed.filter((one) => one.type === 'assistant.text')).toMatchObject([{ text: answer, model: 'p/m' }]);
  expect(await observation('notice.shown')).toMatchObject({ text: 'It called tools 1 times (write), of which 0 failed.' });
  await input('c2', 'and more');
  expect(await observation('input.dropped')).toMatchObject({
    inputId: openclaw.inputId(CommandId.parse('c2')),
    reason: expect.stringContaining('only one task'),
  });
});

for (const [task, words] of [
  ['fail', 'the model is away'],
  ['crash', 'no such model'],
] as const) {
  test(`a failed task (${task}) is reported as an error, in its own words`, { timeout: LIMIT_MS }, async () => {
    const { observation, input } = startSession();
    await input('c1', task);
    expect(await observation('turn.ended')).toMatchObject({ isError: true, errors: [expect.stringContaining(words)] });
  });
}

test('an interrupt stops a task, and so does the end of input', { timeout: LIMIT_MS }, async () => {
  const [one, two] = [startSession(), startSession()];
  for (const { input, observation } of [one, two]) {
    await input('c1', 'wait');
    await observation('turn.began');
  }
  one.send({ kind: 'interrupt', requestId: 'i' });
  two.child.stdin?.end();
  for (const { observation } of [one, two]) expect(await observation('turn.ended')).toMatchObject({ aborted: true });
  await waitFor('the end of the program', () => two.child.exitCode === 0, LIMIT_MS);
});

/** Every message as a process of its own. */
function startConversation(mode: 'new' | 'resume' = 'new') {
  const cwd = temporaryFolder('per-message');
  const opening = { cwd, options: { transport: 'per-message', permissionMode: 'bypassPermissions' }, mode, agentSessionId: 'conversation-1' } as const;
  const { observed, send } = connect(opening, 'openclaw-agent.mjs', 'one file');
  const seen = (type: Observation['type'], count = 1) =>
    waitFor(
      `${count} ${type} in ${JSON.stringify(observed)}`,
      () => (observed.filter((one) => one.type === type).length >= count ? observed : undefined),
      LIMIT_MS,
    );
  const say = (text: string, number: number) => send({ kind: 'input', commandId: CommandId.parse(`c${number}`), text, images: [], steer: false });
  return { observed, seen, say, stop: () => send({ kind: 'interrupt', requestId: 'i' }) };
}

test('[R402] without a Gateway every message is a process of its own in the same conversation, and the session says so first', {
  timeout: LIMIT_MS,
}, async () => {
  const { observed, seen, say } = startConversation();
  await seen('agent.ready');
  expect(observed.find((one) => one.type === 'notice.shown')).toMatchObject({ text: expect.stringContaining('nothing is asked') });
  for (const [index, format] of ['described', 'gateway', 'local', 'fail'].entries()) {
    say(format, index);
    await seen('turn.ended', index + 1);
  }
  const answers = observed.flatMap((one) => (one.type === 'assistant.text' ? [one.text] : []));
  expect(answers).toEqual(['described', 'gateway', 'local'].map((format) => `conversation-1 <- ${format}`));
  expect(observed.filter((one) => one.type === 'turn.ended')).toMatchObject([
    { isError: false, usage: { inputTokens: 200, outputTokens: 40 } },
    { isError: false },
    { isError: false, costUsd: 0.0012 },
    { isError: true, errors: ['A Gateway is running for this state directory'] },
  ]);
});

test('a resumed conversation keeps its id, and a message can be stopped', { timeout: LIMIT_MS }, async () => {
  const { observed, seen, say, stop } = startConversation('resume');
  await seen('agent.ready');
  say('wait', 1);
  await seen('turn.began');
  stop();
  await seen('turn.ended');
  expect(observed.at(-1)).toMatchObject({ type: 'turn.ended', aborted: true });
  say('described', 2);
  await seen('turn.ended', 2);
  expect(observed.flatMap((one) => (one.type === 'assistant.text' ? [one.text] : []))).toEqual(['conversation-1 <- described']);
});

test('a message that takes longer than its limit fails with the reason', async () => {
  const frames: object[] = [];
  const task = startTask(
    { openclaw: [process.execPath, join(ROOT, 'test/fixtures/openclaw-agent.mjs')], cwd: ROOT, runId: 'r', message: 'wait', sessionId: 's', limitMs: 50 },
    (frame) => frames.push(frame),
  );
  await task.done;
  expect(frames.at(-1)).toMatchObject({ event: 'chat', payload: { state: 'error', errorMessage: expect.stringContaining('30 minutes') } });
});

test('one process per message needs the mode in which nobody is asked', () => {
  const reason = (options: object) => openclaw.unsupportedReason?.(options, undefined, openclaw.capabilities);
  expect(reason({ transport: 'per-message' })).toContain('bypassPermissions');
  expect(reason({ transport: 'per-message', permissionMode: 'bypassPermissions' })).toBeUndefined();
});
