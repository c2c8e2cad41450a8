import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OpenclawSetup } from '../support/agents/openclaw-setup.ts';
import { api } from '../support/client.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import { openCalls } from '../support/live-suite/crashes.ts';
import { answered, modelRequestWith, order, type Scenario, sendAndFollow } from '../support/live-suite/exchange.ts';
import { liveSuite } from '../support/live-suite/live-suite.ts';
import { read } from '../support/live-suite/messages.ts';
import { isRunning } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';

/** On a machine with twenty times its normal load, a command starts late. */
const LIMIT_MS = 60_000;

for (const agent of LIVE_AGENTS.openclaw()) {
  liveSuite(agent, (scenario) => {
    answers(scenario);
    approvals(scenario);
    settings(scenario);
    gatewayFailures(scenario);
  });
}

function answers(scenario: Scenario<OpenclawSetup>): void {
  scenario('reports its cost and how it was started', async ({ setup, say }) => {
    const exchange = await say('@THINK about trains');
    const done = await answered(exchange);
    expect(done).toMatchObject({ stopReason: 'end_turn', result: 'Thought about: about trains', usage: { inputTokens: 10, outputTokens: 19 } });
    expect(done.costUsd).toBeGreaterThan(0);
    const models = expect.arrayContaining([{ value: 'local/scripted-two', title: 'The model scripted-two' }]);
    expect(await setup.event(exchange.id, 'session.started', (event) => (event.models?.length ?? 0) > 0)).toMatchObject({
      permissionMode: 'default',
      model: 'local/scripted',
      cwd: setup.server.project,
      models,
    });
  });

  scenario('keeps the shown part of an interrupted text', async ({ setup, say }) => {
    const exchange = await say('@SLOW kept 50');
    await setup.model.arrived('kept', 1);
    await setup.model.release('kept', 3);
    await setup.model.arrived('kept', 4);
    await exchange.event('turn.started');
    await order(setup, exchange.id, 'interrupt');
    expect(await answered(exchange)).toMatchObject({ interrupted: true, isError: false });
    expect(read(await exchange.events())).toEqual([
      ['user.message', '@SLOW kept 50'],
      ['assistant.text', expect.stringMatching(/^piece1/)],
    ]);
  });

  scenario('takes a steering message while it waits for an answer', async ({ setup, say }) => {
    const exchange = await say('@BASH echo steered');
    const asked = await exchange.event('permission.requested');
    const steering = { text: '@PLAIN steered', mode: 'steer' };
    const { commandId } = (await api<{ commandId: string }>(setup.server, 'POST', `/api/sessions/${exchange.id}/input`, steering)).body;
    await exchange.event('input.delivered', (event) => event.commandId === commandId);
    await setup.answer(asked.requestId, 'allow');
    await answered(exchange);
    const events = await exchange.events();
    expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(1);
    expect(events.findLast((event) => event.type === 'assistant.text')).toMatchObject({ text: 'Plain answer to: steered' });
    expect(events.filter((event) => event.type === 'user.message').map((event) => event.text)).toEqual(['@BASH echo steered', '@PLAIN steered']);
  });

  scenario('passes an image from a person to the model', async ({ setup, say }) => {
    const { id } = await say('@PLAIN before the picture');
    const images = [{ mediaType: 'image/png', base64: PIXEL }];
    const { commandId } = (await api<{ commandId: string }>(setup.server, 'POST', `/api/sessions/${id}/input`, { text: '@PLAIN pictured', images })).body;
    expect(await setup.event(id, 'turn.completed', (event) => event.commandId === commandId)).toMatchObject({ isError: false });
    expect(await modelRequestWith(setup, 'pictured')).toContain('"media_type":"image/png"');
  });
}

function approvals(scenario: Scenario<OpenclawSetup>): void {
  scenario('runs what a rule allows without asking', async ({ setup, say }) => {
    const exchange = await say('@BASH echo ruled');
    const asked = await exchange.event('permission.requested');
    await setup.answer(asked.requestId, 'allow', { remember: { scope: 'session' } });
    await answered(exchange);
    await answered(await sendAndFollow(setup, exchange.id, '@BASH echo ruled'));
    const events = await exchange.events();
    expect(events.filter((event) => event.type === 'permission.resolved').map(({ actor }) => actor?.kind)).toEqual(['person', 'rule']);
    expect(events.filter((event) => event.type === 'tool.completed')).toMatchObject([{ isError: false }, { isError: false, output: 'ruled' }]);
  });

  scenario('never runs a command that a person edited, because it can only run the original', async ({ setup, say }) => {
    const exchange = await say('@BASH touch unchanged.txt');
    const asked = await exchange.event('permission.requested');
    expect(await setup.answer(asked.requestId, 'allow', { updatedInput: { command: 'touch changed.txt' } })).toBe(422);
    expect((await setup.session(exchange.id)).waiting).toBe(1);
    expect(await setup.answer(asked.requestId, 'deny')).toBe(200);
    expect(await answered(exchange)).toMatchObject({ denials: 1, isError: false, result: 'Ran it.' });
    expect(existsSync(join(setup.server.project, 'unchanged.txt'))).toBe(false);
  });

  scenario('does not do what a person denies after the server was killed', async ({ setup, say }) => {
    const exchange = await say('@BASH touch denied-later.txt');
    const asked = await exchange.event('permission.requested');
    await setup.server.restart();
    expect(await setup.answer(asked.requestId, 'deny')).toBe(200);
    expect(await answered(exchange)).toMatchObject({ denials: 1, isError: false, result: 'Ran it.' });
    expect(existsSync(join(setup.server.project, 'denied-later.txt'))).toBe(false);
    expect((await exchange.events()).filter((event) => event.type === 'tool.completed')).toMatchObject([{ isError: true }]);
  });

  scenario('writes and edits files in its folder without asking, and reports the patches', async ({ setup, say }) => {
    writeFileSync(join(setup.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const edit = await say('@EDIT edited.txt two => TWO');
    await answered(edit);
    await answered(await sendAndFollow(setup, edit.id, '@WRITE written.txt text'));
    const events = await edit.events();
    expect(events.filter((event) => event.type === 'permission.requested')).toEqual([]);
    expect(events.flatMap((event) => (event.type === 'tool.completed' && event.change ? [event.change] : []))).toMatchObject([
      { kind: 'edit', path: join(setup.server.project, 'edited.txt'), patch: expect.stringContaining('-two\n+TWO\n') },
      { kind: 'create', path: join(setup.server.project, 'written.txt'), patch: expect.stringContaining('+text') },
    ]);
  });

  scenario('is interrupted during a command, whose call is closed and which leaves no process', async ({ setup, say }) => {
    const exchange = await say('@BASH touch halted.txt && sleep 317.25');
    await setup.answer((await exchange.event('permission.requested')).requestId, 'allow');
    await waitFor('the command to run', () => isRunning(['sleep', '317.25']), LIMIT_MS);
    await order(setup, exchange.id, 'interrupt');
    expect(await answered(exchange)).toMatchObject({ interrupted: true });
    expect(openCalls(await exchange.events())).toEqual([]);
    await waitFor('the end of the command', () => !isRunning(['sleep', '317.25']));
  });

  scenario('dies during a pending request, which is closed as lapsed and never answered', async ({ setup, say }) => {
    const exchange = await say('@BASH touch orphan.txt');
    const asked = await exchange.event('permission.requested');
    await setup.killAgent(exchange.id);
    await answered(exchange);
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'lapsed' });
    expect(await setup.answer(asked.requestId, 'allow')).toBe(409);
    expect(existsSync(join(setup.server.project, 'orphan.txt'))).toBe(false);
  });
}

function settings(scenario: Scenario<OpenclawSetup>): void {
  scenario('changes its model, its mode and its thinking level', async ({ setup }) => {
    const { id } = await setup.create();
    await answered(await sendAndFollow(setup, id, '@PLAIN first'));
    await api(setup.server, 'PUT', `/api/sessions/${id}/model`, { model: 'local/scripted-two' });
    await setup.event(id, 'model.changed', (event) => event.model === 'local/scripted-two');
    await api(setup.server, 'PUT', `/api/sessions/${id}/thinking`, { thinking: 'high' });
    await setup.event(id, 'thinking.changed', (event) => event.thinking === 'high');
    await api(setup.server, 'PUT', `/api/sessions/${id}/permission-mode`, { mode: 'auto' });
    await setup.event(id, 'mode.changed', (event) => event.mode === 'auto');
    await api(setup.server, 'PUT', `/api/sessions/${id}/permission-mode`, { mode: 'bypassPermissions' });
    // For a mode this dangerous, the agent is always restarted.
    await setup.event(id, 'session.started', (event) => event.permissionMode === 'bypassPermissions');
    await answered(await sendAndFollow(setup, id, '@BASH echo with another model'));
    expect((await setup.events(id)).filter((event) => event.type === 'permission.requested')).toEqual([]);
    expect(await modelRequestWith(setup, 'with another model')).toContain('"model":"scripted-two"');
  });

  scenario('continues in a copy, and the original conversation stays unchanged', async ({ setup, say }) => {
    const first = await say('@PLAIN the first of two');
    await answered(first);
    const { agentSessionId } = await setup.session(first.id);
    const copy = await setup.create('@PLAIN in the copy', { resume: agentSessionId, fork: true });
    await setup.event(copy.id, 'turn.completed');
    expect((await setup.event(copy.id, 'session.started')).agentSessionId).not.toBe(agentSessionId);
    expect(await modelRequestWith(setup, '@PLAIN in the copy')).toContain('@PLAIN the first of two');
  });
}

function gatewayFailures(scenario: Scenario<OpenclawSetup>): void {
  scenario('has one keeper and one Gateway for all of its sessions', async ({ setup }) => {
    const [keeper, gateway] = [setup.keeper(), setup.gateway()];
    const sessions = await Promise.all([setup.create('@PLAIN one'), setup.create('@PLAIN two')]);
    for (const { id } of sessions) await setup.event(id, 'turn.completed');
    expect([setup.keeper(), setup.gateway()]).toEqual([keeper, gateway]);
    expect(keeper).toBeGreaterThan(1);
    expect(gateway).toBeGreaterThan(1);
  });

  scenario('loses its keeper mid-turn: the turn ends, and the next message finds the Gateway again and resumes', async ({ setup, say }) => {
    const lost = await say('@SLOW keeper 50');
    await setup.model.arrived('keeper', 1);
    await lost.event('turn.started');
    const gateway = setup.gateway();
    await setup.kill(setup.keeper());
    expect(await answered(lost)).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    const after = await sendAndFollow(setup, lost.id, '@PLAIN after the keeper');
    expect(await answered(after)).toMatchObject({ isError: false, result: 'Plain answer to: after the keeper' });
    expect(setup.gateway()).toBe(gateway);
    expect((await after.events()).filter((event) => event.type === 'user.message')).toHaveLength(1);
  });

  const title = 'loses its Gateway mid-turn: the turn ends with a reason, and the next message starts another Gateway and reports its progress';
  scenario(title, async ({ setup, say }) => {
    const lost = await say('@SLOW gateway 50');
    await setup.model.arrived('gateway', 1);
    await lost.event('turn.started');
    const gateway = setup.gateway();
    await setup.kill(gateway);
    expect(await answered(lost)).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    expect(await lost.event('notice.shown', (event) => event.level === 'error')).toMatchObject({ text: expect.stringContaining('Gateway was lost') });
    // A Gateway can resume on its own what its crash interrupted, and then end our message without an answer (2026.9.6): the next message gets one.
    let last: string | undefined;
    for (const text of ['@PLAIN after the Gateway', '@PLAIN and again']) {
      if (last?.startsWith('Plain answer')) break;
      const done = await answered(await sendAndFollow(setup, lost.id, text));
      expect(done.isError).toBe(false);
      last = done.result;
    }
    expect(last).toMatch(/^Plain answer to: (after the Gateway|and again)$/);
    expect(setup.gateway()).not.toBe(gateway);
    const events = await lost.events();
    const notices = events.flatMap((event) => (event.type === 'notice.shown' ? [event.text] : []));
    expect(notices).toContainEqual(expect.stringContaining('Gateway is being started'));
    expect(notices).toContainEqual(expect.stringMatching(/^OpenClaw Gateway: /));
    expect(notices).toContainEqual(expect.stringMatching(/Gateway is ready after \d+ s/));
    const messages = events.flatMap((event) => (event.type === 'user.message' ? [event.commandId ?? event.text] : []));
    expect(new Set(messages).size).toBe(messages.length);
  });
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
