import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentDescription } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import { openCalls } from '../support/live-suite/crashes.ts';
import { answered, modelRequestWith, order, type Scenario, sendAndFollow } from '../support/live-suite/exchange.ts';
import { liveSuite } from '../support/live-suite/live-suite.ts';

for (const agent of LIVE_AGENTS.acp()) {
  const isAsking = agent.id === 'acp:opencode';
  liveSuite(agent, (scenario) => {
    scenario('is listed with the capabilities it reported, and so is the session; a new server still knows them', async ({ setup, say }) => {
      const exchange = await say('@PLAIN able');
      await answered(exchange);
      const reported = { resume: true, images: true, fork: isAsking, setModel: true, thinking: true, modes: isAsking ? ['plan'] : [] };
      expect((await setup.session(exchange.id)).capabilities).toMatchObject(reported);
      await setup.server.restart();
      const { agents } = (await api<{ agents: AgentDescription[] }>(setup.server, 'GET', '/api/agents')).body;
      const capabilities = { ...reported, cost: isAsking, permissions: isAsking, steer: false, streaming: true };
      expect(agents.find(({ id }) => id === agent.id)).toMatchObject({ capabilitiesBy: 'told', capabilities });
    });

    scenario('describes itself once it is ready', async ({ setup, say }) => {
      const exchange = await say('@PLAIN hello');
      expect(await answered(exchange)).toMatchObject({ stopReason: 'end_turn', contextWindow: 200_000 });
      expect(await setup.event(exchange.id, 'session.started', (event) => event.commands.length > 0)).toMatchObject({
        model: 'local/scripted',
        cwd: setup.server.project,
        models: expect.arrayContaining([{ value: 'local/scripted-two' }]),
        agentCapabilities: expect.arrayContaining(['resume', 'images']),
      });
    });

    scenario('changes its model, and refuses an unknown one', async ({ setup, say }) => {
      const first = await say('@PLAIN first');
      await answered(first);
      const setModel = (model: string) => api(setup.server, 'PUT', `/api/sessions/${first.id}/model`, { model });
      await setModel('local/scripted-two');
      await first.event('model.changed', (event) => event.model === 'local/scripted-two');
      await setModel('local/nowhere');
      expect(await first.event('setting.refused')).toMatchObject({ setting: 'model', reason: expect.stringContaining('local/scripted-two') });
    });

    scenario('is interrupted during a command, whose call is closed', async ({ setup, can, say }) => {
      const exchange = await say('@BASH sleep 317');
      if (can.permissions) await setup.answer((await exchange.event('permission.requested')).requestId, 'allow');
      else await exchange.event('tool.started');
      await order(setup, exchange.id, 'interrupt');
      expect(await answered(exchange)).toMatchObject({ interrupted: true });
      expect(openCalls(await exchange.events())).toEqual([]);
    });

    if (isAsking) approvals(scenario);
  });
}

function approvals(scenario: Scenario): void {
  scenario('shows an edit before it is made, makes it when allowed, and reports the cost', async ({ setup, say }) => {
    writeFileSync(join(setup.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const exchange = await say('@EDIT edited.txt two => TWO');
    const request = await exchange.event('permission.requested');
    expect(request).toMatchObject({ tool: 'edit', kind: 'tool', suggestions: [{ name: 'Always allow' }] });
    await setup.answer(request.requestId, 'allow');
    expect((await answered(exchange)).costUsd).toBeGreaterThan(0);
    const edit = (await exchange.events()).findLast((event) => event.type === 'tool.completed');
    expect(edit).toMatchObject({ change: { kind: 'edit', patch: expect.stringContaining('-two\n+TWO\n') } });
  });

  const refused = 'refuses an allow with an edited command, which the protocol cannot carry, and keeps the request pending';
  scenario(refused, async ({ setup, say }) => {
    const exchange = await say('@BASH echo as the model wanted > changed.txt');
    const { requestId } = await exchange.event('permission.requested');
    expect(await setup.answer(requestId, 'allow', { updatedInput: { command: 'echo as the person wanted > changed.txt' } })).toBe(422);
    expect((await setup.session(exchange.id)).waiting).toBe(1);
    expect(await setup.answer(requestId, 'deny')).toBe(200);
    await answered(exchange);
    expect(existsSync(join(setup.server.project, 'changed.txt'))).toBe(false);
  });

  scenario('is copied, and the copy remembers the conversation', async ({ setup, say }) => {
    const original = await say('@PLAIN original');
    await answered(original);
    const copy = (await api<Session>(setup.server, 'POST', `/api/sessions/${original.id}/fork`, {})).body;
    expect(await answered(await sendAndFollow(setup, copy.id, '@PLAIN copied'))).toMatchObject({ isError: false });
    expect((await setup.session(copy.id)).agentSessionId).not.toBe((await setup.session(original.id)).agentSessionId);
    expect(await modelRequestWith(setup, '@PLAIN copied')).toContain('Plain answer to: original');
  });

  scenario('remembers a permission when a person accepts its own suggestion', async ({ setup, say }) => {
    const exchange = await say('@BASH echo one');
    const request = await exchange.event('permission.requested');
    await setup.answer(request.requestId, 'allow', { remember: { scope: 'session', suggestions: [0] } });
    await answered(exchange);
    await answered(await sendAndFollow(setup, exchange.id, '@BASH echo one'));
    expect((await exchange.events()).filter((event) => event.type === 'permission.requested')).toHaveLength(1);
  });

  scenario('dies while it waits for an answer: the request lapses', async ({ setup, say }) => {
    const exchange = await say('@WRITE lapsed.txt text');
    const request = await exchange.event('permission.requested');
    await setup.killAgent(exchange.id);
    expect(await answered(exchange)).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    expect(await setup.answer(request.requestId, 'allow')).toBe(409);
    expect(openCalls(await exchange.events())).toEqual([]);
  });
}
