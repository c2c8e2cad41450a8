import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { codex as adapter } from '../../src/agents/codex/index.ts';
import type { RawPage } from '../../src/protocol/api/raw.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { PastList } from '../../src/protocol/http.ts';
import type { CodexBench } from '../support/agents/codex-bench.ts';
import { readLines, toldBy } from '../support/archive/past-lines.ts';
import { api } from '../support/client.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import type { LiveBench } from '../support/live-suite/bench.ts';
import { openCalls } from '../support/live-suite/dying.ts';
import { answered, heardWith, order, type Scenario, sayIn } from '../support/live-suite/exchange.ts';
import { liveSuite } from '../support/live-suite/live-suite.ts';
import { read } from '../support/live-suite/speaking.ts';
import { waitFor } from '../support/wait-for.ts';

/** The model has sent it; that the program has read it is another thing. */
async function hasPrinted(bench: LiveBench, id: string, words: string, afterWords: string): Promise<boolean> {
  const { lines } = (await api<RawPage>(bench.server, 'GET', `/api/sessions/${id}/raw`)).body;
  const lastWith = (part: string): number => lines.findLastIndex(({ text }) => text.includes(part));
  return lastWith(words) > lastWith(afterWords);
}

for (const agent of LIVE_AGENTS.codex()) {
  liveSuite(agent, (scenario) => {
    answering(scenario);
    approving(scenario);
    settling(scenario);
    remembering(scenario);
  });
}

function answering(scenario: Scenario): void {
  scenario('tells its tokens, and how it was started', async ({ bench, say }) => {
    const exchange = await say('@THINK about trains');
    expect(await answered(exchange)).toMatchObject({
      stopReason: 'end_turn',
      result: 'Thought about: about trains',
      usage: { inputTokens: 10, outputTokens: 18 },
    });
    expect(await bench.event(exchange.id, 'session.started')).toMatchObject({ permissionMode: 'default', model: 'scripted', cwd: bench.server.project });
  });

  scenario('keeps what was read of a text that was interrupted', async ({ bench, say }) => {
    const exchange = await say('@SLOW kept 50');
    await bench.model.arrived('kept', 1);
    await bench.model.release('kept', 3);
    await bench.model.arrived('kept', 4);
    await exchange.event('turn.started');
    await waitFor('words of the answer', () => hasPrinted(bench, exchange.id, 'piece1', '@SLOW kept'));
    await order(bench, exchange.id, 'interrupt');
    expect(await answered(exchange)).toMatchObject({ interrupted: true, isError: false });
    expect(read(await exchange.events())).toEqual([
      ['user.message', '@SLOW kept 50'],
      ['assistant.text', expect.stringMatching(/^piece1 /)],
    ]);
  });

  scenario('takes a message that steers while it waits for an answer', async ({ bench, say }) => {
    const exchange = await say('@WRITE steered.txt text');
    const asked = await exchange.event('permission.requested');
    const steering = { text: '@PLAIN steered', mode: 'steer' };
    const { commandId } = (await api<{ commandId: string }>(bench.server, 'POST', `/api/sessions/${exchange.id}/input`, steering)).body;
    await exchange.event('input.delivered', (event) => event.commandId === commandId);
    await bench.answer(asked.requestId, 'allow');
    await answered(exchange);
    const events = await exchange.events();
    expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(1);
    expect(events.findLast((event) => event.type === 'assistant.text')).toMatchObject({ text: 'Plain answer to: steered' });
    expect(events.filter((event) => event.type === 'user.message').map((event) => event.text)).toEqual(['@WRITE steered.txt text', '@PLAIN steered']);
  });

  scenario('gives the model an image that a person sent', async ({ bench, say }) => {
    const { id } = await say('@PLAIN before the picture');
    const images = [{ mediaType: 'image/png', base64: PIXEL }];
    const { commandId } = (await api<{ commandId: string }>(bench.server, 'POST', `/api/sessions/${id}/input`, { text: '@PLAIN pictured', images })).body;
    expect(await bench.event(id, 'turn.completed', (event) => event.commandId === commandId)).toMatchObject({ isError: false });
    expect(await heardWith(bench, 'pictured')).toContain('data:image/png;base64,');
  });
}

function approving(scenario: Scenario): void {
  scenario('does not ask again for a command when its own suggestion was taken for the session', async ({ bench, say }) => {
    const exchange = await say('@BASH echo allowed');
    const asked = await exchange.event('permission.requested');
    await bench.answer(asked.requestId, 'allow', { remember: { scope: 'session', suggestions: [0] } });
    await answered(exchange);
    await answered(await sayIn(bench, exchange.id, '@BASH echo allowed'));
    const events = await exchange.events();
    expect(events.filter((event) => event.type === 'permission.requested')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'tool.completed')).toHaveLength(2);
  });

  scenario(
    'never runs a command that a person changed: that is refused, because it has no way to run another one, and the request still waits',
    async ({ bench, say }) => {
      const exchange = await say('@BASH touch unchanged.txt');
      const asked = await exchange.event('permission.requested');
      expect(asked.subject).toEqual({ kind: 'command', command: 'touch unchanged.txt', cwd: bench.server.project });
      expect(await bench.answer(asked.requestId, 'allow', { updatedInput: { command: 'touch changed.txt' } })).toBe(422);
      expect((await bench.session(exchange.id)).waiting).toBe(1);
      expect(await bench.answer(asked.requestId, 'deny')).toBe(200);
      await answered(exchange);
      expect(existsSync(join(bench.server.project, 'unchanged.txt'))).toBe(false);
    },
  );

  scenario('edits unasked in that mode and tells the patch; in the other mode it asks from the next turn on', async ({ bench }) => {
    writeFileSync(join(bench.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const { id } = await bench.create(undefined, { permissionMode: 'acceptEdits' });
    const edit = await sayIn(bench, id, '@EDIT edited.txt two => TWO');
    await answered(edit);
    expect((await edit.events()).findLast((event) => event.type === 'tool.completed')).toMatchObject({
      change: { kind: 'edit', patch: expect.stringContaining('-two\n+TWO\n') },
    });
    expect((await edit.events()).filter((event) => event.type === 'permission.requested')).toEqual([]);
    await api(bench.server, 'PUT', `/api/sessions/${id}/permission-mode`, { mode: 'default' });
    await bench.event(id, 'mode.changed', (event) => event.mode === 'default');
    const write = await sayIn(bench, id, '@WRITE asked.txt text');
    const path = join(bench.server.project, 'asked.txt');
    expect(await write.event('permission.requested')).toMatchObject({ input: { changes: [{ path, kind: 'add', patch: '@@ -0,0 +1,1 @@\n+text\n' }] } });
    await order(bench, id, 'interrupt');
    await answered(write);
  });

  scenario('is interrupted in a command, whose call is closed', async ({ bench, say }) => {
    const exchange = await say('@BASH sleep 317');
    await bench.answer((await exchange.event('permission.requested')).requestId, 'allow');
    await order(bench, exchange.id, 'interrupt');
    expect(await answered(exchange)).toMatchObject({ interrupted: true });
    expect(openCalls(await exchange.events())).toEqual([]);
  });

  scenario('dies with a question open, which is closed as lapsed and never answered', async ({ bench, say }) => {
    const exchange = await say('@WRITE orphan.txt text');
    const asked = await exchange.event('permission.requested');
    await bench.killAgent(exchange.id);
    await answered(exchange);
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'lapsed' });
    expect(await bench.answer(asked.requestId, 'allow')).toBe(409);
    expect(existsSync(join(bench.server.project, 'orphan.txt'))).toBe(false);
  });
}

function settling(scenario: Scenario): void {
  scenario('changes its model and how much it thinks from the next turn on', async ({ bench, say }) => {
    const first = await say('@PLAIN first');
    await answered(first);
    await api(bench.server, 'PUT', `/api/sessions/${first.id}/model`, { model: 'scripted-two' });
    await first.event('model.changed', (event) => event.model === 'scripted-two');
    await api(bench.server, 'PUT', `/api/sessions/${first.id}/thinking`, { thinking: 'high' });
    await first.event('thinking.changed', (event) => event.thinking === 'high');
    await answered(await sayIn(bench, first.id, '@PLAIN with another model'));
    const sent = await heardWith(bench, 'with another model');
    expect(sent).toContain('"model":"scripted-two"');
    expect(sent).toContain('"effort":"high"');
  });

  scenario('compacts when told to', async ({ bench, say }) => {
    const first = await say('@PLAIN first');
    await answered(first);
    expect(await answered(await sayIn(bench, first.id, '/compact'))).toMatchObject({ isError: false });
    expect(await first.event('context.compacted')).toMatchObject({ trigger: 'manual' });
  });

  scenario('goes on with a copy, and the first conversation stays as it was', async ({ bench, say }) => {
    const first = await say('@PLAIN the first of two');
    await answered(first);
    const { agentSessionId } = await bench.session(first.id);
    const copy = await bench.create('@PLAIN in the copy', { resume: agentSessionId, fork: true });
    await bench.event(copy.id, 'turn.completed');
    expect((await bench.event(copy.id, 'session.started')).agentSessionId).not.toBe(agentSessionId);
    expect(await heardWith(bench, '@PLAIN in the copy')).toContain('@PLAIN the first of two');
  });
}

function remembering(scenario: Scenario<CodexBench>): void {
  const title =
    'lists what was had in a terminal, and goes on with the latest, which goes on there and here again; each message is in the record once, under the id that was told';
  scenario(title, async ({ bench }) => {
    await bench.inTerminal('@PLAIN terminal-one');
    const [listed] = await pastIn(bench, bench.server.project);
    expect(listed).toMatchObject({ title: '@PLAIN terminal-one', cwd: bench.server.project, model: 'scripted' });
    expect(await pastIn(bench, bench.server.home)).toEqual([]);
    const { id } = await bench.create('@PLAIN here-two', { resume: 'latest' });
    await bench.event(id, 'turn.completed');
    const { agentSessionId = '' } = await bench.session(id);
    expect(agentSessionId).toBe(listed?.agentSessionId);
    await order(bench, id, 'stop');
    await bench.event(id, 'session.exited');
    await bench.inTerminal('@PLAIN terminal-three', 'resume', agentSessionId);
    await bench.event(id, 'user.message', (event) => event.text === '@PLAIN terminal-three' && event.origin === 'elsewhere');
    await answered(await sayIn(bench, id, '@PLAIN here-four'));
    const all = ['@PLAIN terminal-one', '@PLAIN here-two', '@PLAIN terminal-three', '@PLAIN here-four'];
    expect(said(await bench.events(id))).toEqual(all);
    const kept = toldBy(readLines(adapter.archive ?? expect.fail('Codex has an archive'), readFileSync(fileOf(bench, agentSessionId), 'utf8')));
    expect(said(kept)).toEqual(all);
    const items = kept.flatMap((one) => (isMessage(one) && 'itemId' in one ? [one.itemId] : []));
    expect(items).toEqual((await bench.events(id)).flatMap((event) => (isMessage(event) ? [event.itemId] : [])));
    await order(bench, id, 'stop');
  });
}

const pastIn = async ({ server }: CodexBench, cwd: string): Promise<PastList['conversations']> =>
  (await api<PastList>(server, 'GET', `/api/agents/codex/past?cwd=${encodeURIComponent(cwd)}`)).body.conversations;

const isMessage = ({ type }: Pick<Event, 'type'>) => type === 'user.message' || type === 'assistant.text' || type === 'assistant.thinking';
const said = (all: readonly { readonly type: string; readonly text?: unknown }[]) => all.flatMap((one) => (one.type === 'user.message' ? [one.text] : []));

function fileOf(bench: CodexBench, id: string): string {
  const sessions = join(bench.folder, 'sessions');
  const [name] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(`${id}.jsonl`));
  return join(sessions, name ?? expect.fail(`there is no record of ${id}`));
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
