import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentDescription } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import { openCalls } from '../support/live-suite/dying.ts';
import { answered, heardWith, order, type Scenario, sayIn } from '../support/live-suite/exchange.ts';
import { liveSuite } from '../support/live-suite/live-suite.ts';

for (const agent of LIVE_AGENTS.acp()) {
  const isAsking = agent.id === 'acp:opencode';
  liveSuite(agent, (scenario) => {
    scenario('is listed with what it told itself, and the session too; a new server knows it still', async ({ bench, say }) => {
      const exchange = await say('@PLAIN able');
      await answered(exchange);
      const told = { resume: true, images: true, fork: isAsking, setModel: true, thinking: true, modes: isAsking ? ['plan'] : [] };
      expect((await bench.session(exchange.id)).capabilities).toMatchObject(told);
      await bench.server.restart();
      const { agents } = (await api<{ agents: AgentDescription[] }>(bench.server, 'GET', '/api/agents')).body;
      const capabilities = { ...told, cost: isAsking, permissions: isAsking, steer: false, streaming: true };
      expect(agents.find(({ id }) => id === agent.id)).toMatchObject({ capabilitiesBy: 'told', capabilities });
    });

    scenario('describes itself when it is there', async ({ bench, say }) => {
      const exchange = await say('@PLAIN hello');
      expect(await answered(exchange)).toMatchObject({ stopReason: 'end_turn', contextWindow: 200_000 });
      expect(await bench.event(exchange.id, 'session.started', (event) => event.commands.length > 0)).toMatchObject({
        model: 'local/scripted',
        cwd: bench.server.project,
        models: expect.arrayContaining([{ value: 'local/scripted-two' }]),
        agentCapabilities: expect.arrayContaining(['resume', 'images']),
      });
    });

    scenario('changes its model, and says no to one that is not there', async ({ bench, say }) => {
      const first = await say('@PLAIN first');
      await answered(first);
      const wish = (model: string) => api(bench.server, 'PUT', `/api/sessions/${first.id}/model`, { model });
      await wish('local/scripted-two');
      await first.event('model.changed', (event) => event.model === 'local/scripted-two');
      await wish('local/nowhere');
      expect(await first.event('setting.refused')).toMatchObject({ setting: 'model', reason: expect.stringContaining('local/scripted-two') });
    });

    scenario('is interrupted in a command, whose call is closed', async ({ bench, can, say }) => {
      const exchange = await say('@BASH sleep 317');
      if (can.permissions) await bench.answer((await exchange.event('permission.requested')).requestId, 'allow');
      else await exchange.event('tool.started');
      await order(bench, exchange.id, 'interrupt');
      expect(await answered(exchange)).toMatchObject({ interrupted: true });
      expect(openCalls(await exchange.events())).toEqual([]);
    });

    if (isAsking) asked(scenario);
  });
}

/** Of the one that asks. */
function asked(scenario: Scenario): void {
  scenario('shows an edit before it is made, makes it when it may, and tells what that cost', async ({ bench, say }) => {
    writeFileSync(join(bench.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const exchange = await say('@EDIT edited.txt two => TWO');
    const request = await exchange.event('permission.requested');
    expect(request).toMatchObject({ tool: 'edit', kind: 'tool', suggestions: [{ name: 'Always allow' }] });
    await bench.answer(request.requestId, 'allow');
    expect((await answered(exchange)).costUsd).toBeGreaterThan(0);
    const edit = (await exchange.events()).findLast((event) => event.type === 'tool.completed');
    expect(edit).toMatchObject({ change: { kind: 'edit', patch: expect.stringContaining('-two\n+TWO\n') } });
  });

  const refused = 'does not run a command that a person changed, which the protocol cannot carry: that is refused, and the request still waits';
  scenario(refused, async ({ bench, say }) => {
    const exchange = await say('@BASH echo as the model wanted > changed.txt');
    const { requestId } = await exchange.event('permission.requested');
    expect(await bench.answer(requestId, 'allow', { updatedInput: { command: 'echo as the person wanted > changed.txt' } })).toBe(422);
    expect((await bench.session(exchange.id)).waiting).toBe(1);
    expect(await bench.answer(requestId, 'deny')).toBe(200);
    await answered(exchange);
    expect(existsSync(join(bench.server.project, 'changed.txt'))).toBe(false);
  });

  scenario('is copied, and the copy remembers what was said', async ({ bench, say }) => {
    const original = await say('@PLAIN original');
    await answered(original);
    const copy = (await api<Session>(bench.server, 'POST', `/api/sessions/${original.id}/fork`, {})).body;
    expect(await answered(await sayIn(bench, copy.id, '@PLAIN copied'))).toMatchObject({ isError: false });
    expect((await bench.session(copy.id)).agentSessionId).not.toBe((await bench.session(original.id)).agentSessionId);
    expect(await heardWith(bench, '@PLAIN copied')).toContain('Plain answer to: original');
  });

  scenario('keeps a permission for longer when a person takes up its own suggestion', async ({ bench, say }) => {
    const exchange = await say('@BASH echo one');
    const request = await exchange.event('permission.requested');
    await bench.answer(request.requestId, 'allow', { remember: { scope: 'session', suggestions: [0] } });
    await answered(exchange);
    await answered(await sayIn(bench, exchange.id, '@BASH echo one'));
    expect((await exchange.events()).filter((event) => event.type === 'permission.requested')).toHaveLength(1);
  });

  scenario('dies while it waits for an answer: the request lapses', async ({ bench, say }) => {
    const exchange = await say('@WRITE lapsed.txt text');
    const request = await exchange.event('permission.requested');
    await bench.killAgent(exchange.id);
    expect(await answered(exchange)).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    expect(await bench.answer(request.requestId, 'allow')).toBe(409);
    expect(openCalls(await exchange.events())).toEqual([]);
  });
}
