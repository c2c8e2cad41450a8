import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Event, EventOf } from '../../src/protocol/event.ts';
import { api } from '../support/client.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import { answered, type Exchange, sendAndFollow } from '../support/live-suite/exchange.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { describeLive } from '../support/live-suite/live-suite.ts';

// Every scenario kills the server between the request and the answer.
for (const agent of LIVE_AGENTS.claudeCode()) {
  describeLive(`steering ${agent.title} while the server is killed`, agent, (scenario) => {
    scenario('a file is written as the person edited it', async ({ setup, say }) => {
      const exchange = await say('@WRITE changed.txt as the agent wanted');
      const asked = await requestThenRestart(setup, exchange);
      expect(asked.subject).toEqual({ kind: 'edit', paths: [inProject(setup, 'changed.txt')] });
      await setup.answer(asked.requestId, 'allow', { updatedInput: { ...asked.input, content: 'as the person wanted' } });
      await answered(exchange);
      expect(readFileSync(inProject(setup, 'changed.txt'), 'utf8')).toBe('as the person wanted');
    });

    scenario('the agent receives the reason for a denial', async ({ setup, say }) => {
      const exchange = await say('@WRITE refused.txt no');
      const asked = await requestThenRestart(setup, exchange);
      await setup.answer(asked.requestId, 'deny', { message: 'use another folder' });
      await answered(exchange);
      expect(existsSync(inProject(setup, 'refused.txt'))).toBe(false);
      expect(await seenByModel(setup, 'use another folder')).toBe(true);
    });

    scenario('a denial that interrupts ends the turn and keeps the process', async ({ setup, say }) => {
      const exchange = await say('@WRITE halted.txt no');
      const asked = await requestThenRestart(setup, exchange);
      const { pid } = await setup.session(exchange.id);
      await setup.answer(asked.requestId, 'deny', { message: 'stop', interrupt: true });
      expect(await answered(exchange)).toMatchObject({ interrupted: true });
      expect(await answered(await sendAndFollow(setup, exchange.id, '@PLAIN go on'))).toMatchObject({ isError: false });
      expect((await setup.session(exchange.id)).pid).toBe(pid);
    });

    scenario('a question is answered with one of its options', async ({ setup, say }) => {
      const exchange = await say('@ASK');
      const asked = await requestThenRestart(setup, exchange);
      expect(asked.kind).toBe('question');
      expect(await setup.answer(asked.requestId, 'allow')).toBe(400);
      expect(await setup.answer(asked.requestId, 'allow', { answers: { 'Which colour?': 'Blue' } })).toBe(200);
      expect(await answered(exchange)).toMatchObject({ isError: false });
      expect(await seenByModel(setup, 'Blue')).toBe(true);
    });

    scenario('a plan is approved, and the agent continues in the chosen mode', async ({ setup }) => {
      const exchange = await sendAndFollow(setup, (await setup.create(undefined, { permissionMode: 'plan' })).id, '@PLAN');
      const asked = await requestThenRestart(setup, exchange);
      expect(asked.kind).toBe('plan');
      await setup.answer(asked.requestId, 'allow', { mode: 'acceptEdits' });
      await exchange.event('mode.changed', (event) => event.mode === 'acceptEdits');
      expect(await answered(exchange)).toMatchObject({ isError: false });
      expect((await setup.session(exchange.id)).permissionMode).toBe('acceptEdits');
    });

    scenario('a plan is sent back with comments', async ({ setup }) => {
      const exchange = await sendAndFollow(setup, (await setup.create(undefined, { permissionMode: 'plan' })).id, '@PLAN');
      const asked = await requestThenRestart(setup, exchange);
      await setup.answer(asked.requestId, 'deny', { message: 'a smaller first step, please' });
      await answered(exchange);
      expect(await seenByModel(setup, 'a smaller first step, please')).toBe(true);
      expect((await setup.session(exchange.id)).permissionMode).toBe('plan');
    });

    scenario('two writes in one reply are requested and answered separately', async ({ setup, say }) => {
      const exchange = await say('@TWOWRITES');
      const first = await requestThenRestart(setup, exchange);
      await setup.answer(first.requestId, 'allow');
      const second = await requestThenRestart(setup, exchange, (event) => event.requestId !== first.requestId);
      await setup.answer(second.requestId, 'deny', { message: 'one is enough' });
      await answered(exchange);
      expect([existsSync(inProject(setup, 'first.txt')), existsSync(inProject(setup, 'second.txt'))]).toEqual([true, false]);
      expect(outcomesOf(await exchange.events())).toEqual(['allowed', 'denied']);
    });

    scenario('a request from a subagent names it and can be answered', async ({ setup, say }) => {
      const exchange = await say('@SUBWRITE errand.txt by the helper');
      const asked = await requestThenRestart(setup, exchange);
      expect(asked.subagent).toEqual(expect.any(String));
      await setup.answer(asked.requestId, 'allow');
      const done = await exchange.event('task.updated', (event) => event.status === 'completed');
      await exchange.event('turn.completed', (event) => event.seq > done.seq);
      expect(readFileSync(inProject(setup, 'errand.txt'), 'utf8')).toBe('by the helper');
    });

    scenario('five messages sent during text run once each, in order, with one edited and one canceled', async ({ setup, say }) => {
      const exchange = await say('@SLOW five 4');
      const { id } = exchange;
      await setup.model.arrived('five', 1);
      const sent = await sendFive(setup, id);
      await setup.server.restart();
      expect((await api(setup.server, 'PATCH', `/api/sessions/${id}/queue/${sent[1]}`, { text: '@PLAIN edited' })).status).toBe(202);
      expect((await api(setup.server, 'DELETE', `/api/sessions/${id}/queue/${sent[2]}`)).status).toBe(202);
      expect((await api(setup.server, 'PATCH', `/api/sessions/${id}/queue/${sent[4]}`, { before: sent[3] })).status).toBe(202);
      await setup.model.open('five');
      await setup.event(id, 'turn.completed', (event) => event.commandId === sent[3]);
      const events = await exchange.events();
      expect(userTexts(events).slice(1)).toEqual(['@PLAIN number 1', '@PLAIN edited', '@PLAIN number 5', '@PLAIN number 4']);
      expect(events.filter((event) => event.type === 'turn.completed' && !event.isError && !event.interrupted)).toHaveLength(5);
    });

    scenario('five messages sent during a tool run once each, in order', async ({ setup }) => {
      const { id } = await setup.create('@BASH until [ -e go-five ]; do sleep 0.05; done', { allowedTools: ['Bash'] });
      await setup.event(id, 'tool.started');
      const sent = await sendFive(setup, id);
      await setup.server.restart();
      writeFileSync(inProject(setup, 'go-five'), '');
      await setup.event(id, 'turn.completed', (event) => event.commandId === sent[4]);
      const events = await setup.events(id);
      expect(userTexts(events).slice(1)).toEqual([1, 2, 3, 4, 5].map((n) => `@PLAIN number ${n}`));
      expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(6);
    });

    scenario('a steering message joins the running turn', async ({ setup }) => {
      const { id } = await setup.create('@BASH until [ -e go-steer ]; do sleep 0.05; done', { allowedTools: ['Bash'] });
      await setup.event(id, 'tool.started');
      const waiting = await setup.send(id, 'and mind the gap');
      await setup.server.restart();
      expect((await api(setup.server, 'PATCH', `/api/sessions/${id}/queue/${waiting}`, { mode: 'steer' })).status).toBe(202);
      await setup.event(id, 'input.delivered', (event) => event.commandId === waiting);
      writeFileSync(inProject(setup, 'go-steer'), '');
      await setup.event(id, 'session.status', (event) => event.status === 'idle');
      const events = await setup.events(id);
      const consumed = events.filter((event) => event.type === 'input.consumed' && event.commandId === waiting);
      expect(consumed).toHaveLength(1);
      expect(await seenByModel(setup, 'and mind the gap')).toBe(true);
      expect((await setup.session(id)).queue).toEqual([]);
    });

    scenario('an image reaches the model and is shown', async ({ setup, say }) => {
      const { id } = await say('@PLAIN before the picture');
      const image = { mediaType: 'image/png', base64: RED_DOT };
      const sent = await api<{ commandId: string }>(setup.server, 'POST', `/api/sessions/${id}/input`, { text: '@PLAIN a dot', images: [image] });
      expect(sent.status).toBe(202);
      await setup.server.restart();
      await setup.event(id, 'turn.completed', (event) => event.commandId === sent.body.commandId && !event.isError);
      const message = (await setup.events(id)).findLast((event) => event.type === 'user.message');
      expect(message).toMatchObject({ images: [{ mediaType: 'image/png', bytes: Buffer.from(RED_DOT, 'base64').length }] });
      expect(await seenByModel(setup, RED_DOT)).toBe(true);
    });
  });
}

const RED_DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';

const inProject = (setup: LiveSetup, file: string): string => join(setup.server.project, file);

/** Waits for a request, restarts the server, and expects the same status with the request still pending. */
async function requestThenRestart(setup: LiveSetup, exchange: Exchange, matches: (event: EventOf<'permission.requested'>) => boolean = () => true) {
  const asked = await exchange.event('permission.requested', matches);
  const before = await setup.session(exchange.id);
  await setup.server.restart();
  const after = await setup.session(exchange.id);
  expect([after.status, after.waiting, after.statusCause]).toEqual(['waiting', before.waiting, before.statusCause]);
  return asked;
}

async function sendFive(setup: LiveSetup, id: string): Promise<readonly string[]> {
  const sent: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) sent.push(await setup.send(id, `@PLAIN number ${n}`));
  return sent;
}

const userTexts = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'user.message' && event.origin === 'person' ? [event.text] : []));
const outcomesOf = (events: readonly Event[]): readonly string[] => events.flatMap((event) => (event.type === 'permission.resolved' ? [event.outcome] : []));

async function seenByModel(setup: LiveSetup, words: string): Promise<boolean> {
  return (await setup.model.requests()).some((request) => JSON.stringify(request).includes(words));
}
