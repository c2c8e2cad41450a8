import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RuleInUse } from '../../src/protocol/rule.ts';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';

describe('rules with Claude Code 2.1.197', () => {
  let opened: LiveSetup | { readonly skip: string };
  beforeAll(async () => {
    opened = await startClaudeSetup('2.1.197');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });
  const scenario = (title: string, run: (setup: LiveSetup) => Promise<void>) =>
    test(title, async ({ skip }) => {
      if ('skip' in opened) return skip(opened.skip);
      await run(opened);
    });

  scenario('a write that was allowed and remembered is not asked about again, even after kill -9 of the server', async (setup) => {
    const { id } = await setup.create('@WRITE remembered.txt one');
    const asked = await setup.event(id, 'permission.requested');
    await setup.server.kill9();
    await setup.server.restart();
    expect(await setup.answer(asked.requestId, 'allow', { remember: { scope: 'project' } })).toBe(200);
    const first = await setup.event(id, 'turn.completed');
    const [rule] = await rulesOf(setup);
    expect(rule).toMatchObject({ behavior: 'allow', tool: asked.tool, path: 'remembered.txt', fromRequest: asked.requestId, uses: 0 });

    await setup.server.kill9();
    await setup.server.restart();
    await setup.send(id, '@WRITE remembered.txt two');
    const second = await setup.event(id, 'turn.completed', (event) => event.seq > first.seq);
    const since = (await setup.events(id)).filter((event) => event.seq > first.seq);
    expect(second).toMatchObject({ isError: false, denials: 0 });
    expect(readFileSync(join(setup.server.project, 'remembered.txt'), 'utf8')).toBe('two');
    expect(since.filter((event) => event.type === 'session.status' && event.status === 'waiting')).toEqual([]);
    expect(since.find((event) => event.type === 'permission.resolved')).toMatchObject({ outcome: 'allowed', actor: { kind: 'rule', id: rule?.id } });
    expect(await rulesOf(setup)).toMatchObject([{ id: rule?.id, uses: 1 }]);

    const other = await setup.create('@WRITE another.txt one');
    await setup.event(other.id, 'session.status', (event) => event.status === 'waiting');
  });

  scenario('a deny rule gives the agent its reason and denies pending requests at once', async (setup) => {
    const { id } = await setup.create('@BASH touch forbidden.txt');
    await setup.event(id, 'session.status', (event) => event.status === 'waiting');
    const body = { behavior: 'deny', tool: 'Bash', command: 'touch *', scope: { kind: 'everywhere' }, note: 'make files with the editor' };
    expect((await api(setup.server, 'POST', '/api/rules', body)).status).toBe(201);
    const closed = await setup.event(id, 'tool.completed');
    expect(closed).toMatchObject({ isError: true, output: expect.stringContaining('make files with the editor') });
    expect(existsSync(join(setup.server.project, 'forbidden.txt'))).toBe(false);
  });

  scenario('a rule can be tested against past calls of the agent', async (setup) => {
    const body = { behavior: 'allow', tool: 'Write', path: 'remembered.txt', scope: { kind: 'everywhere' } };
    const { status, body: tried } = await api<{ matched: number; matchedAsked: number }>(setup.server, 'POST', '/api/rules/test', body);
    expect([status, tried]).toEqual([200, expect.objectContaining({ matched: 2, matchedAsked: 2 })]);
  });
});

const rulesOf = async (setup: LiveSetup): Promise<readonly RuleInUse[]> => (await api<{ rules: RuleInUse[] }>(setup.server, 'GET', '/api/rules')).body.rules;
