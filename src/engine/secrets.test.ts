import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type CommandOf, isRefusal, type Receipt, type Refusal } from '../protocol/command.ts';
import type { AgentId, CommandId, SessionId } from '../protocol/ids.ts';
import { createSecrets } from './secrets.ts';

const S1 = 's1' as SessionId;

type Create = CommandOf<'session.create'>;

const creation = (setup: EngineSetup, changed: Partial<Create> = {}): Create => ({
  type: 'session.create',
  commandId: randomUUID() as CommandId,
  sessionId: S1,
  agent: 'demo' as AgentId,
  cwd: setup.folder,
  options: {},
  prompt: 'hello',
  ...changed,
});

const creationWithKey = (setup: EngineSetup, key: string): Create => creation(setup, { options: { env: { KEY: key } } });

async function agentEnvironment(setup: EngineSetup): Promise<readonly string[]> {
  await setup.event(S1, 'turn.completed');
  const pid = await waitFor('the pid', () => setup.engine.session(S1)?.pid);
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
}

/** The names whose answer (same index) is a receipt. */
const accepted = <T>(names: readonly T[], answers: readonly (Receipt | Refusal)[]): readonly T[] =>
  names.filter((_, index) => answers.slice(index, index + 1).some((answer) => !isRefusal(answer)));

const secretFiles = (setup: EngineSetup): readonly string[] => (existsSync(join(setup.dataDir, 'secrets')) ? readdirSync(join(setup.dataDir, 'secrets')) : []);

test('identical concurrent creations all get the same receipt', async () => {
  const setup = await createEngine();
  const command = creationWithKey(setup, 'one');
  const answers = await Promise.all([1, 2, 3].map(() => setup.engine.submit(command, ADA)));
  expect(answers[0]).toMatchObject({ commandId: command.commandId, sessionId: S1 });
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(setup.events(S1).filter((event) => event.type === 'session.created')).toHaveLength(1);
  expect(await agentEnvironment(setup)).toContain('KEY=one');
});

test('[R194] one of several concurrent creations of a session wins, and the agent gets that one’s environment', async () => {
  const setup = await createEngine();
  const keys = ['first', 'second', 'third', 'fourth'];
  const answers = await Promise.all(keys.map((key) => setup.engine.submit(creationWithKey(setup, key), ADA)));
  const winners = accepted(keys, answers);
  expect(winners).toHaveLength(1);
  expect(await agentEnvironment(setup)).toContain(`KEY=${winners[0]}`);
  expect(secretFiles(setup)).toEqual(['s1.json']);
});

test('a session created without variables gets none, even if an old secrets file has its id', async () => {
  const setup = await createEngine();
  // What a server leaves when it is killed after storing the variables and before storing the session.
  mkdirSync(join(setup.dataDir, 'secrets'), { recursive: true });
  writeFileSync(join(setup.dataDir, 'secrets', 's1.json'), JSON.stringify({ KEY: 'of another' }));
  await setup.do(creation(setup));
  expect((await agentEnvironment(setup)).filter((line) => line.startsWith('KEY='))).toEqual([]);
});

test('a refused creation leaves no secrets behind and does not change those of the existing session', async () => {
  const setup = await createEngine();
  const made = creationWithKey(setup, 'kept');
  await setup.do(made);
  expect(await setup.engine.submit(creationWithKey(setup, 'refused'), ADA)).toMatchObject({ refused: 'conflict' });
  const sameId = { ...creationWithKey(setup, 'misnamed'), sessionId: 's2' as SessionId, commandId: made.commandId };
  expect(await setup.engine.submit(sameId, ADA)).toMatchObject({ refused: 'conflict' });
  expect(await setup.engine.submit({ type: 'turn.interrupt', sessionId: 's2' as SessionId, commandId: randomUUID() as CommandId }, ADA)).toMatchObject({
    refused: 'not-found',
  });
  expect(secretFiles(setup)).toEqual(['s1.json']);
  expect(readFileSync(join(setup.dataDir, 'secrets', 's1.json'), 'utf8')).toBe('{"KEY":"kept"}');
});

test('of two concurrent creations with one command id and different sessions, one succeeds and only its secrets are stored', async () => {
  const setup = await createEngine();
  const commandId = randomUUID() as CommandId;
  const ids = ['s1', 's2'] as SessionId[];
  const answers = await Promise.all(ids.map((sessionId) => setup.engine.submit({ ...creationWithKey(setup, sessionId), sessionId, commandId }, ADA)));
  const made = accepted(ids, answers);
  expect(made).toHaveLength(1);
  expect(secretFiles(setup)).toEqual([`${made[0]}.json`]);
});

test('concurrent writes leave one complete file, and a half-written file of a killed server is removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secrets = createSecrets(folder);
  await Promise.all(['a', 'b', 'c'].map((key) => secrets.put(S1, { KEY: key.repeat(10_000) })));
  expect((await secrets.get(S1)).KEY).toMatch(/^(a{10000}|b{10000}|c{10000})$/);
  writeFileSync(join(folder, 'secrets', 's1.json.of-a-killed-server.new'), '{"KEY":"ha');
  await createSecrets(folder).get(S1);
  expect(readdirSync(join(folder, 'secrets'))).toEqual(['s1.json']);
});
