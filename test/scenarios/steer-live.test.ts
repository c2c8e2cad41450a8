import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, EventOf } from '../../src/protocol/event.ts';
import { startClaudeBench } from '../support/claude-bench.ts';
import { api } from '../support/client.ts';
import type { LiveBench } from '../support/live-suite/bench.ts';

/** Every scenario kills the server between the question and the answer. */
for (const version of ['2.1.197', '2.1.325'] as const) {
  describe(`steering Claude Code ${version} over the deaths of the server`, () => {
    let opened: LiveBench | { readonly skip: string };
    beforeAll(async () => {
      opened = await startClaudeBench(version);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    const scenario = (title: string, run: (bench: LiveBench) => Promise<void>) =>
      test(title, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened);
      });

    scenario('a file is written as the person changed it', async (bench) => {
      const { id } = await bench.create('@WRITE changed.txt as the agent wanted');
      const asked = await askedAndKilled(bench, id);
      expect(asked.subject).toEqual({ kind: 'edit', paths: [inProject(bench, 'changed.txt')] });
      await bench.answer(asked.requestId, 'allow', { updatedInput: { ...asked.input, content: 'as the person wanted' } });
      await bench.event(id, 'turn.completed');
      expect(readFileSync(inProject(bench, 'changed.txt'), 'utf8')).toBe('as the person wanted');
    });

    scenario('the agent reads why it was denied', async (bench) => {
      const { id } = await bench.create('@WRITE refused.txt no');
      const asked = await askedAndKilled(bench, id);
      await bench.answer(asked.requestId, 'deny', { message: 'use another folder' });
      await bench.event(id, 'turn.completed');
      expect(existsSync(inProject(bench, 'refused.txt'))).toBe(false);
      expect(await seenByModel(bench, 'use another folder')).toBe(true);
    });

    scenario('a denial that interrupts ends the turn and keeps the process', async (bench) => {
      const { id } = await bench.create('@WRITE halted.txt no');
      const asked = await askedAndKilled(bench, id);
      const { pid } = await bench.session(id);
      await bench.answer(asked.requestId, 'deny', { message: 'stop', interrupt: true });
      const done = await bench.event(id, 'turn.completed');
      expect(done.interrupted).toBe(true);
      await bench.send(id, '@PLAIN go on');
      await bench.event(id, 'turn.completed', (event) => event.seq > done.seq && !event.isError);
      expect((await bench.session(id)).pid).toBe(pid);
    });

    scenario('a question is answered by choice', async (bench) => {
      const { id } = await bench.create('@ASK');
      const asked = await askedAndKilled(bench, id);
      expect(asked.kind).toBe('question');
      expect(await bench.answer(asked.requestId, 'allow')).toBe(400);
      expect(await bench.answer(asked.requestId, 'allow', { answers: { 'Which colour?': 'Blue' } })).toBe(200);
      await bench.event(id, 'turn.completed', (event) => !event.isError);
      expect(await seenByModel(bench, 'Blue')).toBe(true);
    });

    scenario('a plan is approved, and the agent goes on in the chosen mode', async (bench) => {
      const { id } = await bench.create('@PLAN', { permissionMode: 'plan' });
      const asked = await askedAndKilled(bench, id);
      expect(asked.kind).toBe('plan');
      await bench.answer(asked.requestId, 'allow', { mode: 'acceptEdits' });
      await bench.event(id, 'mode.changed', (event) => event.mode === 'acceptEdits');
      await bench.event(id, 'turn.completed', (event) => !event.isError);
      expect((await bench.session(id)).permissionMode).toBe('acceptEdits');
    });

    scenario('a plan is sent back with comments', async (bench) => {
      const { id } = await bench.create('@PLAN', { permissionMode: 'plan' });
      const asked = await askedAndKilled(bench, id);
      await bench.answer(asked.requestId, 'deny', { message: 'a smaller first step, please' });
      await bench.event(id, 'turn.completed');
      expect(await seenByModel(bench, 'a smaller first step, please')).toBe(true);
      expect((await bench.session(id)).permissionMode).toBe('plan');
    });

    scenario('two writes of one reply are asked for and answered each', async (bench) => {
      const { id } = await bench.create('@TWOWRITES');
      const first = await askedAndKilled(bench, id);
      await bench.answer(first.requestId, 'allow');
      const second = await askedAndKilled(bench, id, (event) => event.requestId !== first.requestId);
      await bench.answer(second.requestId, 'deny', { message: 'one is enough' });
      await bench.event(id, 'turn.completed');
      expect([existsSync(inProject(bench, 'first.txt')), existsSync(inProject(bench, 'second.txt'))]).toEqual([true, false]);
      expect(endsOf(await bench.events(id))).toEqual(['allowed', 'denied']);
    });

    scenario('a subagent’s request names it, and is answered', async (bench) => {
      const { id } = await bench.create(`@SUBWRITE errand-${version}.txt by the helper`);
      const asked = await askedAndKilled(bench, id);
      expect(asked.subagent).toEqual(expect.any(String));
      await bench.answer(asked.requestId, 'allow');
      await bench.event(id, 'session.status', (event) => event.status === 'idle' && event.seq > asked.seq);
      expect(readFileSync(inProject(bench, `errand-${version}.txt`), 'utf8')).toBe('by the helper');
    });

    scenario('five messages sent during text run once each, in order, with one edited and one cancelled', async (bench) => {
      const gate = `five-${version}`;
      const { id } = await bench.create(`@SLOW ${gate} 4`);
      await bench.model.arrived(gate, 1);
      const sent = await sendFive(bench, id);
      await bench.server.restart();
      expect((await api(bench.server, 'PATCH', `/api/sessions/${id}/queue/${sent[1]}`, { text: '@PLAIN edited' })).status).toBe(202);
      expect((await api(bench.server, 'DELETE', `/api/sessions/${id}/queue/${sent[2]}`)).status).toBe(202);
      expect((await api(bench.server, 'PATCH', `/api/sessions/${id}/queue/${sent[4]}`, { before: sent[3] })).status).toBe(202);
      await bench.model.open(gate);
      await bench.event(id, 'turn.completed', (event) => event.commandId === sent[3]);
      const events = await bench.events(id);
      expect(said(events).slice(1)).toEqual(['@PLAIN number 1', '@PLAIN edited', '@PLAIN number 5', '@PLAIN number 4']);
      expect(events.filter((event) => event.type === 'turn.completed' && !event.isError && !event.interrupted)).toHaveLength(5);
    });

    scenario('five messages sent during a tool run once each, in order', async (bench) => {
      const go = `go-${version}`;
      const { id } = await bench.create(`@BASH until [ -e ${go} ]; do sleep 0.05; done`, { allowedTools: ['Bash'] });
      await bench.event(id, 'tool.started');
      const sent = await sendFive(bench, id);
      await bench.server.restart();
      writeFileSync(inProject(bench, go), '');
      await bench.event(id, 'turn.completed', (event) => event.commandId === sent[4]);
      const events = await bench.events(id);
      expect(said(events).slice(1)).toEqual([1, 2, 3, 4, 5].map((n) => `@PLAIN number ${n}`));
      expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(6);
    });

    scenario('a message that steers joins the running turn', async (bench) => {
      const go = `steer-${version}`;
      const { id } = await bench.create(`@BASH until [ -e ${go} ]; do sleep 0.05; done`, { allowedTools: ['Bash'] });
      await bench.event(id, 'tool.started');
      const waiting = await bench.send(id, 'and mind the gap');
      await bench.server.restart();
      expect((await api(bench.server, 'PATCH', `/api/sessions/${id}/queue/${waiting}`, { mode: 'steer' })).status).toBe(202);
      await bench.event(id, 'input.delivered', (event) => event.commandId === waiting);
      writeFileSync(inProject(bench, go), '');
      await bench.event(id, 'session.status', (event) => event.status === 'idle');
      const events = await bench.events(id);
      const consumed = events.filter((event) => event.type === 'input.consumed' && event.commandId === waiting);
      expect(consumed).toHaveLength(1);
      expect(await seenByModel(bench, 'and mind the gap')).toBe(true);
      expect((await bench.session(id)).queue).toEqual([]);
    });

    scenario('an image reaches the model and is shown', async (bench) => {
      const { id } = await bench.create();
      const image = { mediaType: 'image/png', base64: RED_DOT };
      expect((await api(bench.server, 'POST', `/api/sessions/${id}/input`, { text: '@PLAIN a dot', images: [image] })).status).toBe(202);
      await bench.server.restart();
      await bench.event(id, 'turn.completed', (event) => !event.isError);
      const [message] = (await bench.events(id)).filter((event) => event.type === 'user.message');
      expect(message).toMatchObject({ images: [{ mediaType: 'image/png', bytes: Buffer.from(RED_DOT, 'base64').length }] });
      expect(await seenByModel(bench, RED_DOT)).toBe(true);
    });
  });
}

const RED_DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';

const inProject = (bench: LiveBench, file: string): string => join(bench.server.project, file);

/** Waits for a request, kills the server, starts another, and finds the same request and the same status there. */
async function askedAndKilled(bench: LiveBench, id: string, fits: (event: EventOf<'permission.requested'>) => boolean = () => true) {
  const asked = await bench.event(id, 'permission.requested', fits);
  const before = await bench.session(id);
  await bench.server.restart();
  const after = await bench.session(id);
  expect([after.status, after.waiting, after.statusCause]).toEqual(['waiting', before.waiting, before.statusCause]);
  return asked;
}

async function sendFive(bench: LiveBench, id: string): Promise<readonly string[]> {
  const sent: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) sent.push(await bench.send(id, `@PLAIN number ${n}`));
  return sent;
}

const said = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'user.message' && event.origin === 'person' ? [event.text] : []));
const endsOf = (events: readonly Event[]): readonly string[] => events.flatMap((event) => (event.type === 'permission.resolved' ? [event.outcome] : []));

async function seenByModel(bench: LiveBench, words: string): Promise<boolean> {
  return (await bench.model.requests()).some((request) => JSON.stringify(request).includes(words));
}
