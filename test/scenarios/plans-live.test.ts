import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanState } from '../../src/protocol/api/plan.ts';
import { claudePath, codexPath, piPath } from '../support/agents/agent-clis.ts';
import { claudeEnv } from '../support/agents/claude-setup.ts';
import { writeCodexConfig } from '../support/agents/codex-setup.ts';
import { piEnv, program, writeConfig } from '../support/agents/pi-setup.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { type SpawnedModel, spawnScriptedModel } from '../support/scripted-model/spawn.ts';
import { waitFor } from '../support/wait-for.ts';

const [claude, pi, codex] = [claudePath('2.1.325'), piPath('0.87.1'), codexPath('0.166.0')];
const isThere = !('skip' in claude) && !('skip' in pi) && !('skip' in codex);

describe.skipIf(!isThere)('plans with Claude Code, Pi and Codex', () => {
  let server: TestServer;
  let model: SpawnedModel;
  let folder: string;

  beforeAll(async () => {
    if ('skip' in claude || 'skip' in pi || 'skip' in codex) return;
    model = await spawnScriptedModel();
    folder = mkdtempSync(join(tmpdir(), 'signalbox-plans-'));
    const [piFolder, codexFolder] = [join(folder, 'pi'), join(folder, 'codex')];
    for (const path of [piFolder, codexFolder]) mkdirSync(path);
    writeConfig(piFolder, model.url);
    writeCodexConfig(codexFolder, model.url);
    const env = { ...claudeEnv(claude.path, model.url), ...piEnv(program(piFolder, pi), piFolder), CODEX_PATH: codex.path, CODEX_HOME: codexFolder };
    server = await startServer({ env });
  });

  afterAll(async () => {
    await server?.close();
    await model?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const plan = async (id: string): Promise<PlanState> => (await api<{ plan: PlanState }>(server, 'GET', `/api/plans/${id}`)).body.plan;
  const until = (id: string, is: (plan: PlanState) => boolean): Promise<PlanState> =>
    waitFor(`the plan ${id}\n${server.log().slice(-2000)}`, async () => {
      const now = await plan(id).catch(() => undefined);
      return now !== undefined && is(now) ? now : undefined;
    });
  const post = async (path: string, body: object = {}): Promise<number> => (await api(server, 'POST', path, body)).status;
  /** All that the session's agents were sent. */
  const sentTo = (sessionId: string): string => {
    const folder = join(server.data, 'sessions', sessionId);
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => readFileSync(join(folder, name, 'in.ndjson'), 'utf8'))
      .join('');
  };

  test('[R611] [R617] each agent gets the summaries of the steps it needs, nothing of their transcripts, and no message twice across kill -9', async () => {
    const nodes = [
      { id: 'first', title: 'First', prompt: '@PLAIN alpha', needs: [], agent: 'claude-code' },
      { id: 'second', title: 'Second', prompt: '@PLAIN beta', needs: ['first'], agent: 'pi' },
      { id: 'third', title: 'Third', prompt: '@PLAIN gamma', needs: ['first', 'second'], agent: 'codex' },
    ];
    expect(await post('/api/plans', { id: 'three', title: 'Three agents', cwd: server.project, nodes })).toBe(201);
    expect(await post('/api/plans/three/start')).toBe(202);
    await until('three', ({ nodes: [, second] }) => (second?.attempts.length ?? 0) > 0);
    await server.kill9();
    await server.restart();
    const done = await until('three', ({ status }) => status === 'done' || status === 'failed');
    expect(done.nodes.map(({ status, summary }) => [status, summary])).toEqual([
      ['done', expect.stringContaining('Plain answer to: alpha')],
      ['done', expect.stringContaining('Plain answer to: beta')],
      ['done', expect.stringContaining('Plain answer to: gamma')],
    ]);
    const sent = sentTo('p_three_third_1_run1');
    for (const word of ['Plain answer to: alpha', 'Plain answer to: beta']) expect(sent).toContain(word);
    for (const word of ['@PLAIN alpha', '@PLAIN beta']) expect(sent).not.toContain(word);
    for (const [session, word] of [
      ['first', 'alpha'],
      ['second', 'beta'],
      ['third', 'gamma'],
    ] as const)
      expect(sentTo(`p_three_${session}_1_run1`).split(`@PLAIN ${word}`)).toHaveLength(2);
  });

  test('[R624] [R625] a tool call and a block in the answer make the same graph; a plan that is wrong goes back once', async () => {
    const node = (id: string, ...needs: string[]) => ({ op: 'add', node: { id, title: `Do ${id}`, prompt: `do ${id}`, needs } });
    const diamond = { ops: [node('top'), node('left', 'top'), node('right', 'top'), node('bottom', 'left', 'right')], why: 'a diamond' };
    const wrong = { ops: [node('a', 'b'), node('b', 'a')], why: 'a cycle' };
    const tasks = [
      { id: 'by-tool', agent: 'claude-code', task: `@TOOL propose_plan_change ${JSON.stringify(diamond)}` },
      { id: 'by-block', agent: 'pi', task: `@STEPS ${JSON.stringify([wrong, diamond])}` },
      { id: 'never', agent: 'codex', task: `@STEPS ${JSON.stringify([wrong, wrong])}` },
    ];
    for (const { id, agent, task } of tasks) {
      expect(await post('/api/plans', { id, title: id, cwd: server.project, defaults: { agent } })).toBe(201);
      expect(await post(`/api/plans/${id}/generate`, { task })).toBe(202);
    }
    const ended = await Promise.all(tasks.map(({ id }) => until(id, ({ generations }) => generations.some(({ outcome }) => outcome !== undefined))));
    const [byTool, byBlock, never] = ended.map(({ nodes }) => nodes.map(({ id, needs }) => [id, needs]));
    expect(byTool).toEqual([
      ['top', []],
      ['left', ['top']],
      ['right', ['top']],
      ['bottom', ['left', 'right']],
    ]);
    expect([byBlock, never]).toEqual([byTool, []]);
    expect(ended.map(({ status, generations }) => [status, generations[0]?.outcome, generations[0]?.inputs.length])).toEqual([
      ['draft', 'proposed', 1],
      ['draft', 'proposed', 2],
      ['draft', 'failed', 2],
    ]);
    expect(ended[2]?.generations[0]?.problem).toContain('wait for each other');
  });
});
