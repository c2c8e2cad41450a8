import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, EventOf } from '../../src/protocol/event.ts';
import type { HitList } from '../../src/protocol/search.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { type OpenclawBench, startOpenclawBench } from '../support/openclaw-bench.ts';
import { waitFor } from '../support/wait-for.ts';

/** The Gateway was ready after 7 s, and after 140 s on a machine with twenty times too much to do. */
const GATEWAY_MS = 300_000;

describe('OpenClaw 2026.9.6 behind Signalbox', () => {
  let opened: OpenclawBench | { readonly skip: string } | undefined;
  beforeAll(async () => {
    opened = await startOpenclawBench('2026.9.6');
  });
  afterAll(async () => {
    if (opened !== undefined && 'close' in opened) await opened.close();
  });
  const scenario = (title: string, run: (bench: OpenclawBench) => Promise<void>) =>
    test(title, { timeout: 2 * GATEWAY_MS }, async ({ skip }) => {
      if (opened === undefined || 'skip' in opened) return skip(opened?.skip);
      await run(opened);
    });

  scenario('starts its Gateway when there is none, and says how far that has come', async (bench) => {
    const { id } = await bench.create();
    await ready(bench, id);
    const notices = (await bench.events(id)).flatMap((event) => (event.type === 'notice.shown' ? [event.text] : []));
    expect(notices.some((text) => text.includes('Gateway is being started'))).toBe(true);
    expect(notices.some((text) => text.startsWith('OpenClaw Gateway: '))).toBe(true);
    expect(notices.at(-1)).toMatch(/Gateway is ready after \d+ s/);
    expect(await bench.event(id, 'session.started')).toMatchObject({
      version: '2026.9.6',
      permissionMode: 'default',
      model: 'local/scripted',
      cwd: bench.server.project,
    });
  });

  scenario('thinks and answers, and every line is told once', async (bench) => {
    const { id } = await bench.create('@THINK about trains');
    const done = await bench.event(id, 'turn.completed');
    const events = await bench.events(id);
    expect(done).toMatchObject({ isError: false, interrupted: false, stopReason: 'end_turn', result: 'Thought about: about trains' });
    expect(done.usage).toMatchObject({ inputTokens: 10, outputTokens: 19 });
    expect(done.costUsd).toBeGreaterThan(0);
    expect(kinds(events)).toEqual(['user.message', 'assistant.thinking', 'assistant.text']);
    expect(events.filter((event) => event.type === 'unrecognised')).toEqual([]);
    expect(events.findLast((event) => event.type === 'session.started')?.models).toContainEqual({
      value: 'local/scripted-two',
      title: 'The model scripted-two',
    });
    expect((await bench.session(id)).status).toBe('idle');
  });

  scenario('asks before a command; an approval answered after a killed server is carried out', async (bench) => {
    const { id } = await bench.create('@BASH touch survived.txt');
    const asked = await bench.event(id, 'permission.requested');
    expect(asked).toMatchObject({ kind: 'tool', subject: { kind: 'command', command: 'touch survived.txt', cwd: bench.server.project } });
    await bench.server.kill9();
    await bench.server.restart();
    expect((await bench.session(id)).status).toBe('waiting');
    expect(await bench.answer(asked.requestId, 'allow')).toBe(200);
    expect(await bench.event(id, 'turn.completed')).toMatchObject({ isError: false, denials: 0, result: 'Ran it.' });
    expect(existsSync(join(bench.server.project, 'survived.txt'))).toBe(true);
    const events = await bench.events(id);
    expect(events.filter((event) => event.type === 'tool.started')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'tool.completed')).toMatchObject([{ isError: false }]);
    expect(await bench.answer(asked.requestId, 'deny')).toBe(409);
  });

  scenario('does as it is told when a person denies, also after a killed server', async (bench) => {
    const { id } = await bench.create('@BASH touch denied.txt');
    const asked = await bench.event(id, 'permission.requested');
    await bench.server.kill9();
    await bench.server.restart();
    await bench.answer(asked.requestId, 'deny');
    expect(await bench.event(id, 'turn.completed')).toMatchObject({ denials: 1, isError: false, result: 'Ran it.' });
    expect(existsSync(join(bench.server.project, 'denied.txt'))).toBe(false);
    expect((await bench.events(id)).filter((event) => event.type === 'tool.completed')).toMatchObject([{ isError: true }]);
  });

  scenario('runs unasked what a rule allows', async (bench) => {
    const { id } = await bench.create('@BASH echo ruled');
    const asked = await bench.event(id, 'permission.requested');
    await bench.answer(asked.requestId, 'allow', { remember: { scope: 'session' } });
    const first = await bench.event(id, 'turn.completed');
    await bench.send(id, '@BASH echo ruled');
    await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
    const events = await bench.events(id);
    expect(events.filter((event) => event.type === 'permission.resolved').map(({ actor }) => actor?.kind)).toEqual(['person', 'rule']);
    expect(events.filter((event) => event.type === 'tool.completed')).toMatchObject([{ isError: false }, { isError: false, output: 'ruled' }]);
  });

  scenario('never runs a command that a person changed: it has no way to run another one', async (bench) => {
    const { id } = await bench.create('@BASH touch unchanged.txt');
    const asked = await bench.event(id, 'permission.requested');
    expect(await bench.answer(asked.requestId, 'allow', { updatedInput: { command: 'touch changed.txt' } })).toBe(422);
    expect((await bench.session(id)).waiting).toBe(1);
    expect(await bench.answer(asked.requestId, 'deny')).toBe(200);
    await bench.event(id, 'turn.completed');
    expect(existsSync(join(bench.server.project, 'unchanged.txt'))).toBe(false);
  });

  scenario('writes and edits files in its folder, and tells the patches', async (bench) => {
    writeFileSync(join(bench.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const { id } = await bench.create('@EDIT edited.txt two => TWO');
    const first = await bench.event(id, 'turn.completed');
    await bench.send(id, '@WRITE written.txt text');
    await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
    const changes = (await bench.events(id)).flatMap((event) => (event.type === 'tool.completed' && event.change ? [event.change] : []));
    expect(changes).toMatchObject([
      { kind: 'edit', path: join(bench.server.project, 'edited.txt'), patch: expect.stringContaining('-two\n+TWO\n') },
      { kind: 'create', path: join(bench.server.project, 'written.txt'), patch: expect.stringContaining('+text') },
    ]);
  });

  scenario('goes on while no server lives, and the next server shows all of it once', async (bench) => {
    const { id } = await bench.create('@SLOW road 6');
    await bench.model.arrived('road', 1);
    await bench.model.release('road', 2);
    await bench.server.kill9();
    await bench.model.open('road');
    await bench.server.restart();
    await bench.event(id, 'turn.completed');
    const events = await bench.events(id);
    expect(kinds(events)).toEqual(['user.message', 'assistant.text']);
    expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(1);
    expect(events.filter((event) => event.elsewhere)).toEqual([]);
  });

  scenario('is interrupted in mid-text, keeps what was read, and takes the next message', async (bench) => {
    const { id } = await bench.create('@SLOW halt 50');
    await bench.model.arrived('halt', 1);
    await bench.model.release('halt', 3);
    await bench.model.arrived('halt', 4);
    await bench.event(id, 'turn.started');
    expect((await post(bench, `/api/sessions/${id}/interrupt`)).status).toBe(202);
    const done = await bench.event(id, 'turn.completed');
    expect(done).toMatchObject({ interrupted: true, isError: false });
    await bench.send(id, '@PLAIN again');
    const second = await bench.event(id, 'turn.completed', (event) => event.seq > done.seq);
    expect(second).toMatchObject({ interrupted: false, isError: false });
    const texts = (await bench.events(id)).flatMap((event) => (event.type === 'assistant.text' ? [event.text] : []));
    expect(texts).toEqual([expect.stringMatching(/^piece1/), 'Plain answer to: again']);
  });

  scenario('is interrupted in a command, whose call is closed and of which no process is left', async (bench) => {
    const { id } = await bench.create('@BASH sleep 317.25', { permissionMode: 'bypassPermissions' });
    await waitFor('the command to run', () => isRunning('sleep\u0000317.25'), 60_000);
    await post(bench, `/api/sessions/${id}/interrupt`);
    expect((await bench.event(id, 'turn.completed')).interrupted).toBe(true);
    expect((await bench.events(id)).filter((event) => event.type === 'tool.completed')).toHaveLength(1);
    await waitFor('the end of the command', () => !isRunning('sleep\u0000317.25'));
  });

  scenario('is interrupted while it asks: the question is closed, and never answered', async (bench) => {
    const { id } = await bench.create('@BASH touch asked.txt');
    const asked = await bench.event(id, 'permission.requested');
    await post(bench, `/api/sessions/${id}/interrupt`);
    expect((await bench.event(id, 'turn.completed')).interrupted).toBe(true);
    expect((await bench.events(id)).filter((event) => event.type === 'permission.resolved')).toMatchObject([{ requestId: asked.requestId }]);
    expect(existsSync(join(bench.server.project, 'asked.txt'))).toBe(false);
  });

  scenario('takes a message that steers while it waits for an answer', async (bench) => {
    const { id } = await bench.create('@BASH echo steered');
    const asked = await bench.event(id, 'permission.requested');
    const steering = await api<{ commandId: string }>(bench.server, 'POST', `/api/sessions/${id}/input`, { text: '@PLAIN steered', mode: 'steer' });
    await bench.event(id, 'input.delivered', (event) => event.commandId === steering.body.commandId);
    await bench.answer(asked.requestId, 'allow');
    await bench.event(id, 'turn.completed');
    const events = await bench.events(id);
    expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(1);
    expect(events.findLast((event) => event.type === 'assistant.text')).toMatchObject({ text: 'Plain answer to: steered' });
    expect(events.filter((event) => event.type === 'user.message').map((event) => event.text)).toEqual(['@BASH echo steered', '@PLAIN steered']);
  });

  scenario('changes its model, its mode and how much it thinks', async (bench) => {
    const { id } = await bench.create('@PLAIN first');
    const first = await bench.event(id, 'turn.completed');
    await api(bench.server, 'PUT', `/api/sessions/${id}/model`, { model: 'local/scripted-two' });
    await bench.event(id, 'model.changed', (event) => event.model === 'local/scripted-two');
    await api(bench.server, 'PUT', `/api/sessions/${id}/thinking`, { thinking: 'high' });
    await bench.event(id, 'thinking.changed', (event) => event.thinking === 'high');
    await api(bench.server, 'PUT', `/api/sessions/${id}/permission-mode`, { mode: 'auto' });
    await bench.event(id, 'mode.changed', (event) => event.mode === 'auto');
    await api(bench.server, 'PUT', `/api/sessions/${id}/permission-mode`, { mode: 'bypassPermissions' });
    // With what is so dangerous an agent is always begun anew.
    await bench.event(id, 'session.started', (event) => event.permissionMode === 'bypassPermissions');
    await bench.send(id, '@BASH echo with another model');
    await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
    expect((await bench.events(id)).filter((event) => event.type === 'permission.requested')).toEqual([]);
    const sent = (await bench.model.requests()).map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes('with another model'));
    expect(sent).toContain('"model":"scripted-two"');
  });

  scenario('gives the model an image that a person sent', async (bench) => {
    const { id } = await bench.create();
    await api(bench.server, 'POST', `/api/sessions/${id}/input`, { text: '@PLAIN pictured', images: [{ mediaType: 'image/png', base64: PIXEL }] });
    expect(await bench.event(id, 'turn.completed')).toMatchObject({ isError: false });
    const sent = (await bench.model.requests()).map(({ body }) => JSON.stringify(body)).find((body) => body.includes('pictured'));
    expect(sent).toContain('"media_type":"image/png"');
  });

  scenario('tells an error of the model as an error, and goes on', async (bench) => {
    const { id } = await bench.create('@ERROR400');
    const done = await bench.event(id, 'turn.completed');
    expect(done).toMatchObject({ isError: true, interrupted: false, stopReason: 'error', errors: [expect.stringContaining('The request is not understood')] });
    expect((await bench.session(id)).status).toBe('idle');
    await bench.send(id, '@PLAIN after the error');
    expect(await bench.event(id, 'turn.completed', (event) => event.seq > done.seq)).toMatchObject({ isError: false });
    expect(kinds(await bench.events(id))).toEqual(['user.message', 'user.message', 'assistant.text']);
  });

  scenario('dies in mid-text: its message is shown as interrupted, and the next one resumes', async (bench) => {
    const { id } = await bench.create('@PLAIN before');
    const first = await bench.event(id, 'turn.completed');
    const lost = await bench.send(id, '@SLOW death 50');
    await bench.model.arrived('death', 1);
    await bench.event(id, 'turn.started', (event) => event.seq > first.seq);
    await bench.killAgent(id);
    const died = await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
    expect(died).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    await bench.send(id, '@PLAIN after');
    expect(await bench.event(id, 'turn.completed', (event) => event.seq > died.seq)).toMatchObject({ isError: false });
    const events = await bench.events(id);
    expect(events.filter((event) => event.type === 'input.delivered' && event.commandId === lost)).toHaveLength(1);
    expect(events.filter((event) => event.type === 'run.opened').map((event) => event.mode)).toEqual(['new', 'resume']);
    expect(new Set(events.flatMap((event) => (event.type === 'session.started' ? [event.agentSessionId] : []))).size).toBe(1);
  });

  scenario('dies with a question open, which is closed as lapsed and never answered', async (bench) => {
    const { id } = await bench.create('@BASH touch orphan.txt');
    const asked = await bench.event(id, 'permission.requested');
    await bench.killAgent(id);
    await bench.event(id, 'turn.completed');
    expect((await bench.events(id)).filter((event) => event.type === 'permission.resolved')).toMatchObject([{ requestId: asked.requestId, outcome: 'lapsed' }]);
    expect(await bench.answer(asked.requestId, 'allow')).toBe(409);
    expect(existsSync(join(bench.server.project, 'orphan.txt'))).toBe(false);
  });

  scenario('is stopped in a command, of which no process is left', async (bench) => {
    const { id } = await bench.create('@BASH sleep 31.41592', { permissionMode: 'bypassPermissions' });
    await waitFor('the command to run', () => isRunning('sleep\u000031.41592'), 60_000);
    await post(bench, `/api/sessions/${id}/stop`);
    await bench.event(id, 'session.exited');
    await waitFor('the end of the command', () => !isRunning('sleep\u000031.41592'));
    expect((await bench.events(id)).filter((event) => event.type === 'tool.completed')).toHaveLength(1);
  });

  scenario('is stopped and gone on with: the model hears the whole conversation, and nothing is shown twice', async (bench) => {
    const { id } = await bench.create('@BASH echo once', { permissionMode: 'bypassPermissions' });
    const first = await bench.event(id, 'turn.completed');
    await post(bench, `/api/sessions/${id}/stop`);
    await bench.event(id, 'session.exited');
    await bench.send(id, '@PLAIN resumed');
    await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
    const heard = (await bench.model.requests()).map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes('@PLAIN resumed'));
    expect(heard).toContain('@BASH echo once');
    const events = await bench.events(id);
    expect(kinds(events)).toEqual(['user.message', 'assistant.text', 'user.message', 'assistant.text']);
    expect(events.filter((event) => event.elsewhere || event.type === 'unrecognised')).toEqual([]);
  });

  scenario('goes on with a copy, and the first conversation stays as it was', async (bench) => {
    const { id } = await bench.create('@PLAIN the first of two');
    await bench.event(id, 'turn.completed');
    const { agentSessionId } = await bench.event(id, 'session.started');
    const copy = await bench.create('@PLAIN in the copy', { resume: agentSessionId, fork: true });
    await bench.event(copy.id, 'turn.completed');
    expect((await bench.event(copy.id, 'session.started')).agentSessionId).not.toBe(agentSessionId);
    const heard = (await bench.model.requests()).map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes('@PLAIN in the copy'));
    expect(heard).toContain('@PLAIN the first of two');
  });

  scenario('shows a conversation that was had in a terminal: listed, found, and gone on with here', async (bench) => {
    await bench.inTerminal('@PLAIN terminal-zebra');
    const listed = await waitFor('the conversation in the list', async () => {
      const { sessions } = (await api<{ sessions: Session[] }>(bench.server, 'GET', '/api/sessions')).body;
      return sessions.find((session) => session.title.includes('terminal-zebra'));
    });
    expect(listed).toMatchObject({ agent: 'openclaw', cwd: bench.server.project, control: 'none' });
    await waitFor('a hit', async () => (await api<HitList>(bench.server, 'GET', '/api/search?q=zebra')).body.hits.some((hit) => hit.sessionId === listed.id));
    await bench.send(listed.id, '@PLAIN here-two');
    expect(await bench.event(listed.id, 'turn.completed')).toMatchObject({ isError: false });
    const heard = (await bench.model.requests()).map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes('here-two'));
    expect(heard).toContain('terminal-zebra');
    const said = (await bench.events(listed.id)).flatMap((event) => (event.type === 'user.message' ? [event.text] : []));
    expect(said).toEqual([expect.stringContaining('@PLAIN terminal-zebra'), '@PLAIN here-two']);
    expect(await bench.event(listed.id, 'session.started')).toMatchObject({ agentSessionId: listed.agentSessionId });
  });

  scenario('has one keeper and one Gateway for all of its sessions', async (bench) => {
    const [keeper, gateway] = [bench.keeper(), bench.gateway()];
    const sessions = await Promise.all([bench.create('@PLAIN one'), bench.create('@PLAIN two')]);
    for (const { id } of sessions) await bench.event(id, 'turn.completed');
    expect([bench.keeper(), bench.gateway()]).toEqual([keeper, gateway]);
    expect(keeper).toBeGreaterThan(1);
    expect(gateway).toBeGreaterThan(1);
  });

  scenario('loses its keeper in mid-turn: the turn ends, and the next message finds the Gateway again and resumes', async (bench) => {
    const { id } = await bench.create('@SLOW keeper 50');
    await bench.model.arrived('keeper', 1);
    await bench.event(id, 'turn.started');
    const gateway = bench.gateway();
    await bench.kill(bench.keeper());
    const died = await bench.event(id, 'turn.completed');
    expect(died).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    await bench.send(id, '@PLAIN after the keeper');
    expect(await bench.event(id, 'turn.completed', (event) => event.seq > died.seq)).toMatchObject({
      isError: false,
      result: 'Plain answer to: after the keeper',
    });
    expect(bench.gateway()).toBe(gateway);
    expect((await bench.events(id)).filter((event) => event.type === 'user.message')).toHaveLength(2);
  });

  scenario('loses its Gateway in mid-turn: the turn ends with a reason, and the next message starts another', async (bench) => {
    const { id } = await bench.create('@SLOW gateway 50');
    await bench.model.arrived('gateway', 1);
    await bench.event(id, 'turn.started');
    const gateway = bench.gateway();
    await bench.kill(gateway);
    const died = await bench.event(id, 'turn.completed');
    expect(died).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    expect(await bench.event(id, 'notice.shown', (event) => event.level === 'error')).toMatchObject({ text: expect.stringContaining('Gateway was lost') });
    // What its death cut off a Gateway may take up again by itself, and then end our message without an answer (2026.9.6): the next one has it.
    let last = died;
    for (const text of ['@PLAIN after the Gateway', '@PLAIN and again']) {
      if (last.result?.startsWith('Plain answer')) break;
      await bench.send(id, text);
      last = await waitFor('the end of the turn', async () => turnAfter(await bench.events(id), last.seq), GATEWAY_MS);
      expect(last.isError).toBe(false);
    }
    const events = await bench.events(id);
    expect(last.result).toMatch(/^Plain answer to: (after the Gateway|and again)$/);
    expect(bench.gateway()).not.toBe(gateway);
    const said = events.flatMap((event) => (event.type === 'user.message' ? [event.commandId ?? event.text] : []));
    expect(new Set(said).size).toBe(said.length);
  });
});

const turnAfter = (events: readonly Event[], seq: number) =>
  events.find((event): event is EventOf<'turn.completed'> => event.type === 'turn.completed' && event.seq > seq);

const ready = (bench: OpenclawBench, id: string): Promise<Event> =>
  waitFor('the session to be ready', async () => (await bench.events(id)).find((event) => event.type === 'session.started'), GATEWAY_MS);

/** What a person would read, in order. */
const READ = new Set(['user.message', 'assistant.text', 'assistant.thinking']);
const kinds = (events: readonly Event[]): readonly string[] => events.map((event) => event.type).filter((type) => READ.has(type));

const post = (bench: OpenclawBench, path: string) => api(bench.server, 'POST', path, {});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Whether a process of this very command line lives. */
function isRunning(commandLine: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(commandLine);
      } catch {
        return false; // it ended meanwhile
      }
    });
}
