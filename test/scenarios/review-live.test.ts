import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Annotation, ReviewNow } from '../../src/protocol/api/annotations.ts';
import type { Event } from '../../src/protocol/event.ts';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { api } from '../support/client.ts';
import { readXml } from '../support/domain/read-xml.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { WAIT_LIMIT_MS } from '../support/wait-limit.ts';

const CART = ['export function sum(prices) {', '  let total = 0;', '  const unused = 1;', '  return unused;', '}', ''].join('\n');

describe('reviews with Claude Code 2.1.197', () => {
  let opened: LiveSetup | { readonly skip: string };
  beforeAll(async () => {
    opened = await startClaudeSetup('2.1.197');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });

  test('[R454] comments on code, a message and a call arrive as one message, and what the agent did about each is shown, across kill -9', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    writeFileSync(join(setup.server.project, 'cart.js'), CART);
    const { id } = await setup.create('@BASH echo ready');
    const call = await setup.event(id, 'tool.started');
    const said = await setup.event(id, 'assistant.text');
    const first = await setup.event(id, 'turn.completed');
    const make = async (body: object): Promise<Annotation> => {
      const made = await api<Annotation>(setup.server, 'POST', '/api/annotations', { sessionId: id, ...body });
      expect(made.status).toBe(201);
      return made.body;
    };
    const messageId = said.uuid ?? said.itemId;
    const code = await make({ target: { type: 'code', file: 'cart.js', lineStart: 2 }, kind: 'action', text: 'Use cents. @REVIEW cart.js total cents' });
    const message = await make({ target: { type: 'conversation', sessionId: id, messageId, offsetStart: 0, offsetEnd: 3 }, kind: 'question', text: 'Why?' });
    const tool = await make({ target: { type: 'tool-call', sessionId: id, toolUseId: call.toolUseId }, kind: 'action', text: 'Never run this.' });
    expect([code.anchor?.quote, message.anchor?.quote, code.state]).toEqual(['  let total = 0;', said.text.slice(0, 3), 'draft']);

    const annotationIds = [tool, code, message].map(({ annotationId }) => annotationId);
    const body = { annotationIds, to: [{ sessionId: id }] };
    const preview = await api<{ messages: { text: string }[] }>(setup.server, 'POST', '/api/reviews/preview', body);
    const sent = await api<{ reviewId: string }>(setup.server, 'POST', '/api/reviews', { ...body, commandId: 'one-review' });
    expect(sent.status).toBe(202);
    await setup.server.kill9();
    await setup.server.restart();
    expect((await api(setup.server, 'POST', '/api/reviews', { ...body, commandId: 'one-review' })).body).toEqual(sent.body);
    const edit = await setup.event(id, 'permission.requested');
    expect(await setup.answer(edit.requestId, 'allow')).toBe(200);
    await setup.event(id, 'turn.completed', ({ seq }) => seq > first.seq);

    const events = await setup.events(id, first.seq);
    const messages = events.flatMap((event) => (event.type === 'user.message' && event.origin === 'person' ? [event.text] : []));
    expect(messages).toEqual([preview.body.messages[0]?.text.replace('id="preview"', `id="${sent.body.reviewId}"`)]);
    const summary = readXml(messages[0]?.slice(0, messages[0].lastIndexOf('\n')) ?? '').children.at(-2);
    expect(summary).toMatchObject({ attributes: { actions: '2', questions: '1', files: '1', 'conversation-annotations': '2', sessions: '1' } });
    const changed = events.find((event) => event.type === 'tool.completed' && event.change !== undefined);
    const { body: review } = await api<ReviewNow>(setup.server, 'GET', `/api/reviews/${sent.body.reviewId}`);
    const states = new Map(
      review.to[0]?.annotations.map((one) => [one.annotationId, [one.sent?.label, one.state, one.answered?.how, one.answered?.evidenceSeq]]),
    );
    expect(review.to[0]?.state).toBe('ended');
    expect(states.get(code.annotationId)).toEqual(['A1', 'answered', 'edit', changed?.seq]);
    expect(states.get(message.annotationId)).toEqual(['A2', 'answered', 'words', undefined]);
    expect(states.get(tool.annotationId)).toEqual(['A3', 'skipped', undefined, undefined]);
    expect(events.filter(({ type }) => type === 'review.sent' || type === 'review.ended')).toHaveLength(2);

    expect((await api(setup.server, 'PATCH', `/api/annotations/${code.annotationId}`, { text: 'no' })).status).toBe(409);
    expect((await api(setup.server, 'POST', `/api/annotations/${code.annotationId}/settle`, { outcome: 'verified' })).status).toBe(200);
    const { body: settled } = await api<{ annotations: Annotation[] }>(setup.server, 'GET', `/api/annotations?state=settled`);
    expect(settled.annotations.map(({ annotationId }) => annotationId)).toEqual([code.annotationId]);
  });

  test('[R510] comments on a plan are the answer that sends it back, unshortened; or the message after its approval', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    const big = 'x'.repeat(19_900);
    const planned = async (texts: readonly string[]) => {
      const { id } = await setup.create('@PLAN', { permissionMode: 'plan' });
      const asked = await setup.event(id, 'permission.requested');
      const target = { type: 'tool-call', sessionId: id, toolUseId: asked.toolUseId, field: 'plan', offsetStart: 3, offsetEnd: 14 };
      const annotationIds: string[] = [];
      for (const text of texts) {
        const made = await api<Annotation>(setup.server, 'POST', '/api/annotations', { sessionId: id, target, kind: 'action', text });
        expect([made.status, made.body.anchor?.quote]).toEqual([201, 'Look around']);
        annotationIds.push(made.body.annotationId);
      }
      const answer = (behavior: 'allow' | 'deny', commandId: string) => ({
        annotationIds,
        to: [{ sessionId: id, answer: { requestId: asked.requestId, behavior, ...(behavior === 'allow' && { mode: 'acceptEdits' }) } }],
        commandId,
      });
      const documentOf = async (body: object) =>
        (await api<{ messages: { text: string }[] }>(setup.server, 'POST', '/api/reviews/preview', body)).body.messages[0]?.text ?? '';
      return { id, asked, answer, documentOf };
    };
    const send = (body: object) => api<{ reviewId: string }>(setup.server, 'POST', '/api/reviews', body);
    const messages = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'user.message' && event.origin === 'person' ? [event.text] : []));

    const back = await planned([`Smaller steps. ${big}`, big, big]);
    const { commandId: _, ...toPreview } = back.answer('deny', 'plan-back');
    const document = await back.documentOf(toPreview);
    expect(Buffer.byteLength(document)).toBeGreaterThan(59_700);
    const sent = await send(back.answer('deny', 'plan-back'));
    await setup.server.kill9();
    await setup.server.restart();
    expect((await send(back.answer('deny', 'plan-back'))).body).toEqual(sent.body);
    await setup.event(back.id, 'review.ended');
    const events = await setup.events(back.id);
    const told = document.replace('id="preview"', `id="${sent.body.reviewId}"`);
    expect(events.flatMap((event) => (event.type === 'permission.resolved' ? [[event.outcome, event.message]] : []))).toEqual([['denied', told]]);
    expect(messages(events)).toEqual(['@PLAN']);
    // The model gets every character of it.
    const inJson = JSON.stringify(told).slice(1, -1);
    expect((await setup.model.requests()).some((request) => JSON.stringify(request).includes(inJson))).toBe(true);
    expect((await send(back.answer('allow', 'too-late'))).status).toBe(409);

    const yes = await planned(['Fine. Name the line.']);
    const approval = await send(yes.answer('allow', 'plan-yes'));
    const queued = await setup.event(yes.id, 'input.consumed', ({ commandId }) => commandId.startsWith('review:'));
    await setup.event(yes.id, 'review.ended', undefined, queued.seq);
    const after = await setup.events(yes.id);
    expect(after.flatMap((event) => (event.type === 'permission.resolved' ? [[event.outcome, event.mode]] : []))).toEqual([['allowed', 'acceptEdits']]);
    expect(messages(after).filter((text) => text.includes(`<signalbox-review id="${approval.body.reviewId}"`))).toHaveLength(1);

    const long = await planned([big, big, big, big]);
    await send(long.answer('deny', 'plan-long'));
    const denied = await setup.event(long.id, 'permission.resolved');
    expect(denied.message).toContain('see the next message');
    await setup.event(long.id, 'review.ended');
    expect(messages(await setup.events(long.id)).filter((text) => text.includes('<signalbox-review'))).toHaveLength(1);
  });

  test('[R514] a side question is answered beside a running turn, without tools, and leaves nothing behind', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    const { id } = await setup.create('@PLAIN the first turn');
    await setup.event(id, 'turn.completed');
    await setup.send(id, '@SLOW beside 3');
    await setup.model.arrived('beside', 1);
    const before = await setup.events(id);
    const known = (await api<{ sessions: unknown[] }>(setup.server, 'GET', '/api/sessions')).body.sessions.length;
    const ask = (question: string) =>
      api<{ answer?: string; error?: { message: string } }>(setup.server, 'POST', `/api/sessions/${id}/side-question`, { question });
    const answer = await ask('What is this about? @PLAIN it is beside');
    expect([answer.status, answer.body.answer?.startsWith('Plain answer to: it is beside')]).toEqual([200, true]);
    const asked = (await setup.model.requests()).findLast((request) => JSON.stringify(request).includes('it is beside'));
    expect(JSON.stringify(asked)).toContain('the first turn');
    expect((asked?.body as { tools?: unknown[] } | undefined)?.tools ?? []).toEqual([]);
    // The turn still runs, and nothing was added to its session or to the list.
    expect((await setup.session(id)).status).toBe('busy');
    const added = (await setup.events(id, before.at(-1)?.seq)).map(({ type }) => type);
    expect(added.filter((type) => type !== 'checkpoint.made')).toEqual([]);
    const listed = async () => (await api<{ sessions: unknown[] }>(setup.server, 'GET', '/api/sessions')).body.sessions.length;
    await expect.poll(listed, { timeout: WAIT_LIMIT_MS }).toBe(known);
    await setup.model.open('beside');
    await setup.event(id, 'turn.completed', ({ seq }) => seq > (before.at(-1)?.seq ?? 0));
  });

  test('[R516] open comments are in the system prompt at the next start, if somebody turns that on', async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    const setup = opened;
    const { id } = await setup.create('@PLAIN hello');
    const said = await setup.event(id, 'assistant.text');
    const make = (kind: string, text: string) =>
      api(setup.server, 'POST', '/api/annotations', { sessionId: id, target: { type: 'conversation', sessionId: id }, seq: said.seq, kind, text });
    await make('question', 'Is the greeting right?');
    await make('note', 'Between us.');
    const systemOf = async (prompt: string): Promise<string> => {
      await setup.event(id, 'turn.completed');
      await api(setup.server, 'POST', `/api/sessions/${id}/stop`, {});
      const { commandId } = (await api<{ commandId: string }>(setup.server, 'POST', `/api/sessions/${id}/input`, { text: prompt })).body;
      await setup.event(id, 'input.consumed', (event) => event.commandId === commandId);
      const request = (await setup.model.requests()).findLast(({ body }) => JSON.stringify(body).includes(prompt));
      return JSON.stringify((request?.body as { system?: unknown } | undefined)?.system);
    };
    expect(await systemOf('@PLAIN not told')).not.toContain('Is the greeting right?');
    expect((await api(setup.server, 'PATCH', `/api/sessions/${id}`, { giveComments: true })).status).toBe(200);
    const told = await systemOf('@PLAIN now told');
    expect([told.includes('Is the greeting right?'), told.includes('Between us.')]).toEqual([true, false]);
  });
});
