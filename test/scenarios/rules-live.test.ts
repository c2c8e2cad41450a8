import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RuleInUse } from '../../src/protocol/rule.ts';
import { startClaudeBench } from '../support/agents/claude-bench.ts';
import { api } from '../support/client.ts';
import type { LiveBench } from '../support/live-suite/bench.ts';

describe('rules with Claude Code 2.1.197', () => {
  let opened: LiveBench | { readonly skip: string };
  beforeAll(async () => {
    opened = await startClaudeBench('2.1.197');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });
  const scenario = (title: string, run: (bench: LiveBench) => Promise<void>) =>
    test(title, async ({ skip }) => {
      if ('skip' in opened) return skip(opened.skip);
      await run(opened);
    });

  scenario('a write is asked about once, allowed and remembered after a kill -9 of the server, and the next one is not asked about', async (bench) => {
    const { id } = await bench.create('@WRITE remembered.txt one');
    const asked = await bench.event(id, 'permission.requested');
    await bench.server.kill9();
    await bench.server.restart();
    expect(await bench.answer(asked.requestId, 'allow', { remember: { scope: 'project' } })).toBe(200);
    const first = await bench.event(id, 'turn.completed');
    const [rule] = await rulesOf(bench);
    expect(rule).toMatchObject({ behavior: 'allow', tool: asked.tool, path: 'remembered.txt', fromRequest: asked.requestId, uses: 0 });

    await bench.server.kill9();
    await bench.server.restart();
    await bench.send(id, '@WRITE remembered.txt two');
    const second = await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
    const since = (await bench.events(id)).filter((event) => event.seq > first.seq);
    expect(second).toMatchObject({ isError: false, denials: 0 });
    expect(readFileSync(join(bench.server.project, 'remembered.txt'), 'utf8')).toBe('two');
    expect(since.filter((event) => event.type === 'session.status' && event.status === 'waiting')).toEqual([]);
    expect(since.find((event) => event.type === 'permission.resolved')).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: rule?.id } });
    expect(await rulesOf(bench)).toMatchObject([{ id: rule?.id, uses: 1 }]);

    const other = await bench.create('@WRITE another.txt one');
    await bench.event(other.id, 'session.status', (event) => event.status === 'waiting');
  });

  scenario('a rule that denies tells the agent why, and what waited is denied at once', async (bench) => {
    const { id } = await bench.create('@BASH touch forbidden.txt');
    await bench.event(id, 'session.status', (event) => event.status === 'waiting');
    const body = { behavior: 'deny', tool: 'Bash', command: 'touch *', scope: { kind: 'everywhere' }, note: 'make files with the editor' };
    expect((await api(bench.server, 'POST', '/api/rules', body)).status).toBe(201);
    const closed = await bench.event(id, 'tool.completed');
    expect(closed).toMatchObject({ isError: true, output: expect.stringContaining('make files with the editor') });
    expect(existsSync(join(bench.server.project, 'forbidden.txt'))).toBe(false);
  });

  scenario('a rule is tried against what the agent did', async (bench) => {
    const body = { behavior: 'allow', tool: 'Write', path: 'remembered.txt', scope: { kind: 'everywhere' } };
    const { status, body: tried } = await api<{ matched: number; matchedAsked: number }>(bench.server, 'POST', '/api/rules/test', body);
    expect([status, tried]).toEqual([200, expect.objectContaining({ matched: 2, matchedAsked: 2 })]);
  });
});

const rulesOf = async (bench: LiveBench): Promise<readonly RuleInUse[]> => (await api<{ rules: RuleInUse[] }>(bench.server, 'GET', '/api/rules')).body.rules;
