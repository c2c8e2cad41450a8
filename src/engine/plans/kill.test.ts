import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type EngineProcess, startEngine } from '../../../test/support/engine/engine-process.ts';
import { PLAN, step } from '../../../test/support/engine/plans.ts';
import { createRepository } from '../../../test/support/git-repository.ts';
import { endProcessesOf } from '../../../test/support/processes.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { PlanState } from '../../protocol/api/plan.ts';
import type { Event } from '../../protocol/event.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import { type PlanNode, planStream } from '../../protocol/plan.ts';

/** Two agents and two commands; each command leaves a file, and each agent's work passes a check. */
const NODES: readonly PlanNode[] = [
  step('top', [], { kind: 'command', prompt: 'echo top >> top.txt' }),
  step('left', ['top'], { verify: { command: 'test -e top.txt' } }),
  step('right', ['top'], { kind: 'command', prompt: 'echo right >> right.txt' }),
  step('bottom', ['left', 'right'], { verify: { command: 'cat top.txt right.txt' } }),
];

const SEEDS = proofCount(1);

test.each(Array.from({ length: SEEDS }, (_, at) => at + 1))('[R617] the diamond survives kill -9 at any of its events (seed %i)', async (seed) => {
  const random = seeded(seed);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-plan-kill-')));
  const [home, data] = [join(folder, 'home'), join(folder, 'data')];
  mkdirSync(home);
  const repo = createRepository(join(folder, 'project'));
  const before = [repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain'), readFileSync(join(repo.path, '.git', 'index')).toString('hex')];
  const start = () => startEngine(data, home, folder, { DEMO_AGENT_PACE_MS: '0', GIT_CONFIG_NOSYSTEM: '1' });
  let engine: EngineProcess = await start();
  onTestFinished(async () => {
    await engine.kill9();
    await endProcessesOf(home);
    rmSync(folder, { recursive: true, force: true });
  });
  const about = { planId: PLAN };
  await engine.ask({
    plan: {
      type: 'plan.create',
      commandId: 'create' as CommandId,
      ...about,
      head: { title: 'Build it', defaults: { agent: 'demo' as never } },
      cwd: repo.path,
      nodes: [...NODES],
    },
  });
  const kills: number[] = [];
  for (let at = 1; ; ) {
    engine.say({ plan: { type: 'plan.start', commandId: 'start' as CommandId, ...about } });
    at += 1 + Math.floor(random() * 4);
    const reached = at;
    const now = await waitFor(`event ${reached} (seed ${seed}, killed at ${kills})`, async () => {
      const state = await engine.ask<PlanState | null>({ planState: PLAN });
      return state !== null && (state.seq >= reached || state.endedAt !== undefined || state.gates.length > 0) ? state : undefined;
    });
    if (now.endedAt !== undefined || now.gates.length > 0) break;
    await engine.kill9();
    kills.push(now.seq);
    engine = await start();
  }
  const done = await engine.ask<PlanState>({ planState: PLAN });
  expect([done.status, done.gates], `seed ${seed}, killed at ${kills}`).toEqual(['done', []]);
  expect(done.nodes.map(({ id, status, attempts }) => [id, status, attempts.length, attempts[0]?.fixes])).toEqual(NODES.map(({ id }) => [id, 'done', 1, 0]));
  const events = await engine.ask<readonly Event[]>({ events: planStream(PLAN) });
  for (const type of ['node.started', 'node.reported', 'node.merged', 'node.finished']) expect(events.filter((event) => event.type === type)).toHaveLength(4);
  for (const { attempts } of done.nodes) expect(messagesTo(data, attempts[0]?.sessionId)).toBe(1);
  expect(repo.git('show', 'plan/build:top.txt', 'plan/build:right.txt')).toBe('top\nright');
  expect([repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain'), readFileSync(join(repo.path, '.git', 'index')).toString('hex')]).toEqual(before);
});

/** How many messages the agent of a session was sent, in all of its runs. */
function messagesTo(data: string, sessionId: SessionId | undefined): number {
  const folder = join(data, 'sessions', sessionId ?? '');
  const lines = readdirSync(folder, { withFileTypes: true })
    .map(({ name }) => join(folder, name, 'in.ndjson'))
    .flatMap((file) => textOf(file).split('\n'));
  return lines.filter((line) => line.includes('"type":"input"') || line.includes('"type":"run"')).length;
}

/** The files of a run that is over are packed after a while; a run that was decided right before a kill has none. */
function textOf(file: string): string {
  if (existsSync(`${file}.gz`)) return gunzipSync(readFileSync(`${file}.gz`)).toString('utf8');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
