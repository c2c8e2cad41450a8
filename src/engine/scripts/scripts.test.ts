import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { ScriptRequest } from '../../domain/script/scripts.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { AgentId, ScriptId, SessionId } from '../../protocol/ids.ts';
import { scriptSessionOf } from '../../protocol/ids.ts';

const PARENT = 'parent' as SessionId;
const sh = (setup: EngineSetup, id: string, script: string, more: Partial<ScriptRequest> = {}): ScriptRequest => ({
  scriptId: id as ScriptId,
  kind: 'setup',
  command: script,
  argv: ['/bin/sh', '-c', script],
  cwd: setup.folder,
  actor: ADA,
  ...more,
});

async function withParent(options: Parameters<typeof createEngine>[0] = {}): Promise<EngineSetup> {
  const setup = await createEngine(options);
  await setup.do({ type: 'session.create', sessionId: PARENT, agent: 'demo' as AgentId, cwd: setup.folder, options: {} });
  return setup;
}

test('[R315] a script runs as a session of its own; its output, exit code and end are events', async () => {
  const setup = await withParent();
  const end = await setup.engine.runScript(PARENT, sh(setup, 'one', 'echo out; echo err >&2; echo $WHERE; exit 3', { env: { WHERE: 'here' } }));
  expect(end).toMatchObject({ code: 3, signal: null, tail: expect.stringContaining('err') });
  const script = scriptSessionOf('one' as ScriptId);
  const printed = setup.events(script).flatMap((event) => (event.type === 'command.output' ? [`${event.stream} ${event.text}`] : []));
  expect(printed.join('')).toContain('stderr err\n');
  expect(printed.join('')).toContain('here\n');
  expect(setup.events(PARENT).filter(({ type }) => type.startsWith('script.'))).toMatchObject([
    { type: 'script.started', scriptId: 'one', sessionId: script, actor: { name: 'Ada' } },
    { type: 'script.ended', scriptId: 'one', code: 3 },
  ]);
  await setup.event(script, 'session.status', (event) => event.status === 'ended');
});

test('[R316] only the engine starts scripts: nobody can create or message one, and no list shows it', async () => {
  const setup = await withParent();
  await setup.engine.runScript(PARENT, sh(setup, 'one', 'true'));
  const script = scriptSessionOf('one' as ScriptId);
  await expect(setup.do({ type: 'session.create', sessionId: 'x' as SessionId, agent: 'script' as AgentId, cwd: setup.folder, options: {} })).rejects.toThrow(
    'no agent',
  );
  await expect(
    setup.do({ type: 'session.create', sessionId: '_script-x' as SessionId, agent: 'demo' as AgentId, cwd: setup.folder, options: {} }),
  ).rejects.toThrow('reserved');
  await expect(setup.do({ type: 'input.send', sessionId: script, text: 'again' })).rejects.toThrow('not-permitted');
  expect(setup.engine.sessions().map(({ id }) => id)).toEqual([PARENT]);
  expect(setup.engine.session(script)).toMatchObject({ parent: { sessionId: PARENT } });
  expect((await setup.engine.agents()).map(({ id }) => id)).not.toContain('script');
});

test('[R317] a script id runs once: asking again, also after a restart, returns the same end', async () => {
  const setup = await withParent();
  const file = join(setup.folder, 'runs');
  const request = sh(setup, 'once', `echo run >> ${file}`);
  const [first, second] = await Promise.all([setup.engine.runScript(PARENT, request), setup.engine.runScript(PARENT, request)]);
  expect(second).toEqual(first);
  await setup.reopen();
  expect(await setup.engine.runScript(PARENT, request)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe('run\n');
});

test('[R317] a script goes on while no server runs, and the next one reads how it ended from the files', async () => {
  const setup = await withParent();
  const [go, file] = [join(setup.folder, 'go'), join(setup.folder, 'done')];
  void setup.engine.runScript(PARENT, sh(setup, 'long', `while [ ! -e ${go} ]; do sleep 0.02; done; echo late; touch ${file}; exit 4`));
  await setup.event(scriptSessionOf('long' as ScriptId), 'tool.started');
  await setup.close();
  writeFileSync(go, '');
  await waitFor('the script is done', () => existsSync(file) || undefined);
  await setup.reopen();
  expect(await setup.event(PARENT, 'script.ended')).toMatchObject({ code: 4, tail: 'late\n' });
});

test('a script that is stopped ends with its children, and says so', async () => {
  const setup = await withParent();
  const ended = setup.engine.runScript(PARENT, sh(setup, 'stop', 'sleep 60 & wait'));
  const script = scriptSessionOf('stop' as ScriptId);
  await setup.event(script, 'tool.started');
  await setup.do({ type: 'turn.interrupt', sessionId: script });
  expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM' });
});

test('a script whose program is killed is over, and is not run again', async () => {
  const setup = await withParent();
  const file = join(setup.folder, 'runs');
  const ended = setup.engine.runScript(PARENT, sh(setup, 'killed', `echo run >> ${file}; exec sleep 60`));
  const script = scriptSessionOf('killed' as ScriptId);
  await waitFor('it runs', () => existsSync(file) || undefined);
  const pid = await waitFor('its pid', () => setup.engine.session(script)?.pid);
  process.kill(pid, 'SIGKILL');
  expect(await ended).toMatchObject({ code: null, message: expect.stringContaining('nothing was repeated') });
  expect(readFileSync(file, 'utf8')).toBe('run\n');
});

test('[R318] scripts have their own limit: they take no slot of an agent, and wait for each other', async () => {
  const setup = await withParent({ maxLive: 1, maxCommands: 1 });
  const go = join(setup.folder, 'go');
  const first = setup.engine.runScript(PARENT, sh(setup, 'first', `while [ ! -e ${go} ]; do sleep 0.02; done`));
  await setup.event(scriptSessionOf('first' as ScriptId), 'tool.started');
  const second = setup.engine.runScript(PARENT, sh(setup, 'second', `touch ${go}2`));
  await setup.event(scriptSessionOf('second' as ScriptId), 'session.status', (event) => event.cause === 'waiting for a free slot');
  writeFileSync(go, '');
  expect([await first, await second]).toMatchObject([{ code: 0 }, { code: 0 }]);
});

/** 100 MB in the full form, `npm run prove -- worktrees`. */
const LINES = proofCount(1) > 1 ? 13_000_000 : 200_000;
const MOST_MEMORY_KB = 200 * 1024;

test('[R319] long output becomes a few events whose text is in blobs, complete and in order, in bounded memory', async () => {
  const setup = await withParent();
  const before = process.resourceUsage().maxRSS;
  const end = await setup.engine.runScript(PARENT, sh(setup, 'loud', `seq 1 ${LINES}; echo end >&2`));
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(MOST_MEMORY_KB);
  expect(end).toMatchObject({ code: 0, tail: expect.stringContaining('end') });
  const printed = setup.events(scriptSessionOf('loud' as ScriptId)).flatMap((event) => (event.type === 'command.output' ? [event] : []));
  const found = createHash('sha256');
  for (const { stream, text, blobs } of printed) {
    const blob = blobs?.text && setup.engine.blob(blobs.text.sha256);
    if (stream === 'stdout') found.update(blob ?? text);
  }
  const expected = execFileSync('/bin/sh', ['-c', `seq 1 ${LINES} | sha256sum`], { encoding: 'utf8' }).slice(0, 64);
  expect(found.digest('hex')).toBe(expected);
  expect(printed.length).toBeLessThan(LINES / 5000);
  expect(Math.max(...printed.map(({ text }) => text.length))).toBeLessThan(64 * 1024);
});

test('a program that does not exist ends with 127 and its name', async () => {
  const setup = await withParent();
  const end = await setup.engine.runScript(PARENT, sh(setup, 'none', 'no-such-program', { argv: ['no-such-program', '--x'] }));
  expect(end).toMatchObject({ code: 127, tail: expect.stringContaining('no-such-program') });
});

test('scripts of a deleted session are ended with it', async () => {
  const setup = await withParent();
  void setup.engine.runScript(PARENT, sh(setup, 'left', 'exec sleep 60'));
  const script = scriptSessionOf('left' as ScriptId);
  await setup.event(script, 'tool.started');
  await setup.do({ type: 'session.delete', sessionId: PARENT });
  await waitFor('the script is gone', () => (setup.engine.session(script) === undefined ? true : undefined));
});

test('a script of a missing session is refused', async () => {
  const setup = await createEngine();
  const answer = await setup.engine.runScript('nobody' as SessionId, sh(setup, 'x', 'true'));
  expect(isRefusal(answer) && answer.refused).toBe('not-found');
});
