import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { codex as adapter } from '../../src/agents/codex/index.ts';
import type { RawPage } from '../../src/protocol/api/raw.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { PastList } from '../../src/protocol/http.ts';
import type { CodexSetup } from '../support/agents/codex-setup.ts';
import { observationsIn, readLines } from '../support/archive/past-lines.ts';
import { api } from '../support/client.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import { openCalls } from '../support/live-suite/crashes.ts';
import { answered, modelRequestWith, order, type Scenario, sendAndFollow } from '../support/live-suite/exchange.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { liveSuite } from '../support/live-suite/live-suite.ts';
import { read } from '../support/live-suite/messages.ts';
import { waitFor } from '../support/wait-for.ts';

/** Text that the model has sent may not have been read by the CLI yet. */
async function hasPrinted(setup: LiveSetup, id: string, words: string, afterWords: string): Promise<boolean> {
  const { lines } = (await api<RawPage>(setup.server, 'GET', `/api/sessions/${id}/raw`)).body;
  const lastWith = (part: string): number => lines.findLastIndex(({ text }) => text.includes(part));
  return lastWith(words) > lastWith(afterWords);
}

for (const agent of LIVE_AGENTS.codex()) {
  liveSuite(agent, (scenario) => {
    answers(scenario);
    approvals(scenario);
    settings(scenario);
    records(scenario);
  });
}

function answers(scenario: Scenario): void {
  scenario('reports its tokens and how it was started', async ({ setup, say }) => {
    const exchange = await say('@THINK about trains');
    expect(await answered(exchange)).toMatchObject({
      stopReason: 'end_turn',
      result: 'Thought about: about trains',
      usage: { inputTokens: 10, outputTokens: 18 },
    });
    expect(await setup.event(exchange.id, 'session.started')).toMatchObject({ permissionMode: 'default', model: 'scripted', cwd: setup.server.project });
  });

  scenario('keeps the shown part of an interrupted text', async ({ setup, say }) => {
    const exchange = await say('@SLOW kept 50');
    await setup.model.arrived('kept', 1);
    await setup.model.release('kept', 3);
    await setup.model.arrived('kept', 4);
    await exchange.event('turn.started');
    await waitFor('words of the answer', () => hasPrinted(setup, exchange.id, 'piece1', '@SLOW kept'));
    await order(setup, exchange.id, 'interrupt');
    expect(await answered(exchange)).toMatchObject({ interrupted: true, isError: false });
    expect(read(await exchange.events())).toEqual([
      ['user.message', '@SLOW kept 50'],
      ['assistant.text', expect.stringMatching(/^piece1 /)],
    ]);
  });

  scenario('takes a steering message while it waits for an answer', async ({ setup, say }) => {
    const exchange = await say('@WRITE steered.txt text');
    const asked = await exchange.event('permission.requested');
    const steering = { text: '@PLAIN steered', mode: 'steer' };
    const { commandId } = (await api<{ commandId: string }>(setup.server, 'POST', `/api/sessions/${exchange.id}/input`, steering)).body;
    await exchange.event('input.delivered', (event) => event.commandId === commandId);
    await setup.answer(asked.requestId, 'allow');
    await answered(exchange);
    const events = await exchange.events();
    expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(1);
    expect(events.findLast((event) => event.type === 'assistant.text')).toMatchObject({ text: 'Plain answer to: steered' });
    expect(events.filter((event) => event.type === 'user.message').map((event) => event.text)).toEqual(['@WRITE steered.txt text', '@PLAIN steered']);
  });

  scenario('passes an image from a person to the model', async ({ setup, say }) => {
    const { id } = await say('@PLAIN before the picture');
    const images = [{ mediaType: 'image/png', base64: PIXEL }];
    const { commandId } = (await api<{ commandId: string }>(setup.server, 'POST', `/api/sessions/${id}/input`, { text: '@PLAIN pictured', images })).body;
    expect(await setup.event(id, 'turn.completed', (event) => event.commandId === commandId)).toMatchObject({ isError: false });
    expect(await modelRequestWith(setup, 'pictured')).toContain('data:image/png;base64,');
  });
}

function approvals(scenario: Scenario): void {
  scenario('does not ask again for a command after its own suggestion was accepted for the session', async ({ setup, say }) => {
    const exchange = await say('@BASH echo allowed');
    const asked = await exchange.event('permission.requested');
    await setup.answer(asked.requestId, 'allow', { remember: { scope: 'session', suggestions: [0] } });
    await answered(exchange);
    await answered(await sendAndFollow(setup, exchange.id, '@BASH echo allowed'));
    const events = await exchange.events();
    expect(events.filter((event) => event.type === 'permission.requested')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'tool.completed')).toHaveLength(2);
  });

  scenario('refuses an allow with an edited command, because it can only run the original, and keeps the request pending', async ({ setup, say }) => {
    const exchange = await say('@BASH touch unchanged.txt');
    const asked = await exchange.event('permission.requested');
    expect(asked.subject).toEqual({ kind: 'command', command: 'touch unchanged.txt', cwd: setup.server.project });
    expect(await setup.answer(asked.requestId, 'allow', { updatedInput: { command: 'touch changed.txt' } })).toBe(422);
    expect((await setup.session(exchange.id)).waiting).toBe(1);
    expect(await setup.answer(asked.requestId, 'deny')).toBe(200);
    await answered(exchange);
    expect(existsSync(join(setup.server.project, 'unchanged.txt'))).toBe(false);
  });

  scenario('edits without asking in that mode and reports the patch; in the other mode it asks from the next turn on', async ({ setup }) => {
    writeFileSync(join(setup.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const { id } = await setup.create(undefined, { permissionMode: 'acceptEdits' });
    const edit = await sendAndFollow(setup, id, '@EDIT edited.txt two => TWO');
    await answered(edit);
    expect((await edit.events()).findLast((event) => event.type === 'tool.completed')).toMatchObject({
      change: { kind: 'edit', patch: expect.stringContaining('-two\n+TWO\n') },
    });
    expect((await edit.events()).filter((event) => event.type === 'permission.requested')).toEqual([]);
    await api(setup.server, 'PUT', `/api/sessions/${id}/permission-mode`, { mode: 'default' });
    await setup.event(id, 'mode.changed', (event) => event.mode === 'default');
    const write = await sendAndFollow(setup, id, '@WRITE asked.txt text');
    const path = join(setup.server.project, 'asked.txt');
    expect(await write.event('permission.requested')).toMatchObject({ input: { changes: [{ path, kind: 'add', patch: '@@ -0,0 +1,1 @@\n+text\n' }] } });
    await order(setup, id, 'interrupt');
    await answered(write);
  });

  scenario('is interrupted during a command, whose call is closed', async ({ setup, say }) => {
    const exchange = await say('@BASH sleep 317');
    await setup.answer((await exchange.event('permission.requested')).requestId, 'allow');
    await order(setup, exchange.id, 'interrupt');
    expect(await answered(exchange)).toMatchObject({ interrupted: true });
    expect(openCalls(await exchange.events())).toEqual([]);
  });

  scenario('dies during a pending request, which is closed as lapsed and never answered', async ({ setup, say }) => {
    const exchange = await say('@WRITE orphan.txt text');
    const asked = await exchange.event('permission.requested');
    await setup.killAgent(exchange.id);
    await answered(exchange);
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'lapsed' });
    expect(await setup.answer(asked.requestId, 'allow')).toBe(409);
    expect(existsSync(join(setup.server.project, 'orphan.txt'))).toBe(false);
  });
}

function settings(scenario: Scenario): void {
  scenario('changes its model and its thinking level from the next turn on', async ({ setup, say }) => {
    const first = await say('@PLAIN first');
    await answered(first);
    await api(setup.server, 'PUT', `/api/sessions/${first.id}/model`, { model: 'scripted-two' });
    await first.event('model.changed', (event) => event.model === 'scripted-two');
    await api(setup.server, 'PUT', `/api/sessions/${first.id}/thinking`, { thinking: 'high' });
    await first.event('thinking.changed', (event) => event.thinking === 'high');
    await answered(await sendAndFollow(setup, first.id, '@PLAIN with another model'));
    const sent = await modelRequestWith(setup, 'with another model');
    expect(sent).toContain('"model":"scripted-two"');
    expect(sent).toContain('"effort":"high"');
  });

  scenario('compacts on request', async ({ setup, say }) => {
    const first = await say('@PLAIN first');
    await answered(first);
    expect(await answered(await sendAndFollow(setup, first.id, '/compact'))).toMatchObject({ isError: false });
    expect(await first.event('context.compacted')).toMatchObject({ trigger: 'manual' });
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

function records(scenario: Scenario<CodexSetup>): void {
  const title =
    'lists a conversation from a terminal and continues it here, there and here again; each message is in the record once, with the id that was reported';
  scenario(title, async ({ setup }) => {
    await setup.inTerminal('@PLAIN terminal-one');
    const [listed] = await pastIn(setup, setup.server.project);
    expect(listed).toMatchObject({ title: '@PLAIN terminal-one', cwd: setup.server.project, model: 'scripted' });
    expect(await pastIn(setup, setup.server.home)).toEqual([]);
    const { id } = await setup.create('@PLAIN here-two', { resume: 'latest' });
    await setup.event(id, 'turn.completed');
    const { agentSessionId = '' } = await setup.session(id);
    expect(agentSessionId).toBe(listed?.agentSessionId);
    await order(setup, id, 'stop');
    await setup.event(id, 'session.exited');
    await setup.inTerminal('@PLAIN terminal-three', 'resume', agentSessionId);
    await setup.event(id, 'user.message', (event) => event.text === '@PLAIN terminal-three' && event.origin === 'elsewhere');
    await answered(await sendAndFollow(setup, id, '@PLAIN here-four'));
    const all = ['@PLAIN terminal-one', '@PLAIN here-two', '@PLAIN terminal-three', '@PLAIN here-four'];
    expect(userTexts(await setup.events(id))).toEqual(all);
    const recorded = observationsIn(readLines(adapter.archive ?? expect.fail('Codex has an archive'), readFileSync(fileOf(setup, agentSessionId), 'utf8')));
    expect(userTexts(recorded)).toEqual(all);
    const items = recorded.flatMap((one) => (isMessage(one) && 'itemId' in one ? [one.itemId] : []));
    expect(items).toEqual((await setup.events(id)).flatMap((event) => (isMessage(event) ? [event.itemId] : [])));
    await order(setup, id, 'stop');
  });
}

const pastIn = async ({ server }: CodexSetup, cwd: string): Promise<PastList['conversations']> =>
  (await api<PastList>(server, 'GET', `/api/agents/codex/past?cwd=${encodeURIComponent(cwd)}`)).body.conversations;

const isMessage = ({ type }: Pick<Event, 'type'>) => type === 'user.message' || type === 'assistant.text' || type === 'assistant.thinking';
const userTexts = (all: readonly { readonly type: string; readonly text?: unknown }[]) => all.flatMap((one) => (one.type === 'user.message' ? [one.text] : []));

function fileOf(setup: CodexSetup, id: string): string {
  const sessions = join(setup.folder, 'sessions');
  const [name] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(`${id}.jsonl`));
  return join(sessions, name ?? expect.fail(`there is no record of ${id}`));
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
