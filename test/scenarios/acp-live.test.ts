import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { AgentDescription } from '../../src/protocol/http.ts';
import { startAcpBench } from '../support/acp-bench.ts';
import type { ClaudeBench } from '../support/claude-bench.ts';
import { api } from '../support/client.ts';

for (const name of ['opencode', 'pi-acp'] as const) {
  describe(`${name} behind Signalbox, by configuration alone`, () => {
    let opened: ClaudeBench | { readonly skip: string };
    beforeAll(async () => {
      opened = await startAcpBench(name);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    const scenario = (title: string, run: (bench: ClaudeBench) => Promise<void>) =>
      test(title, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened);
      });

    scenario('thinks and answers, and every line is told once', async (bench) => {
      const { id } = await bench.create('@THINK about trains');
      const done = await bench.event(id, 'turn.completed');
      const events = await bench.events(id);
      expect(done).toMatchObject({ isError: false, interrupted: false, stopReason: 'end_turn', contextWindow: 200_000 });
      expect(kinds(events)).toEqual(['user.message', 'assistant.thinking', 'assistant.text']);
      expect(events.find((event) => event.type === 'assistant.text')).toMatchObject({ text: 'Thought about: about trains' });
      expect(events.filter((event) => event.type === 'unrecognised' || event.type === 'notice.shown')).toEqual([]);
      expect(await bench.event(id, 'session.started', (event) => event.commands.length > 0)).toMatchObject({
        model: 'local/scripted',
        cwd: bench.server.project,
        models: expect.arrayContaining([{ value: 'local/scripted-two' }]),
        agentCapabilities: expect.arrayContaining(['resume', 'images']),
      });
      expect((await bench.session(id)).status).toBe('idle');
    });

    scenario('is listed with what its configuration says that it can do', async (bench) => {
      const { agents } = (await api<{ agents: AgentDescription[] }>(bench.server, 'GET', '/api/agents')).body;
      const ours = agents.find((agent) => agent.id === `acp:${name}`);
      expect(ours).toMatchObject({ available: true, capabilities: { streaming: true, resume: true, permissions: name === 'opencode', steer: false } });
    });

    scenario('goes on while no server lives, and the next server shows all of it once', async (bench) => {
      const gate = `road-${name}`;
      const { id } = await bench.create(`@SLOW ${gate} 6`);
      await bench.model.arrived(gate, 1);
      await bench.model.release(gate, 2);
      await bench.server.kill9();
      await bench.model.open(gate);
      await bench.server.restart();
      await bench.event(id, 'turn.completed');
      const events = await bench.events(id);
      expect(kinds(events)).toEqual(['user.message', 'assistant.text']);
      expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(1);
    });

    scenario('is interrupted in mid-text and takes the next message', async (bench) => {
      const gate = `halt-${name}`;
      const { id } = await bench.create(`@SLOW ${gate} 50`);
      await bench.model.arrived(gate, 1);
      await bench.model.release(gate, 3);
      await bench.event(id, 'turn.started');
      await interrupt(bench, id);
      const done = await bench.event(id, 'turn.completed');
      expect(done).toMatchObject({ interrupted: true, isError: false });
      await bench.send(id, '@PLAIN again');
      const second = await bench.event(id, 'turn.completed', (event) => event.seq > done.seq);
      expect(second).toMatchObject({ interrupted: false, isError: false });
    });

    scenario('tells an error of the model, whether the agent passes it on or keeps silent', async (bench) => {
      const { id } = await bench.create('@ERROR400');
      const done = await bench.event(id, 'turn.completed');
      const words = name === 'opencode' ? 'The request is not understood' : 'without saying or doing anything';
      expect(done).toMatchObject({ isError: true, stopReason: 'error', errors: [expect.stringContaining(words)] });
    });

    scenario('changes its model, and says no to one that is not there', async (bench) => {
      const { id } = await bench.create('@PLAIN first');
      await bench.event(id, 'turn.completed');
      await api(bench.server, 'PUT', `/api/sessions/${id}/model`, { model: 'local/scripted-two' });
      await bench.event(id, 'model.changed', (event) => event.model === 'local/scripted-two');
      await api(bench.server, 'PUT', `/api/sessions/${id}/model`, { model: 'local/nowhere' });
      expect(await bench.event(id, 'setting.refused')).toMatchObject({ setting: 'model', reason: expect.stringContaining('local/scripted-two') });
    });

    scenario('queues a message that is sent while it works, and never sends two', async (bench) => {
      const gate = `busy-${name}`;
      const { id } = await bench.create(`@UNTIL ${gate}`);
      await bench.event(id, 'turn.started');
      await bench.send(id, '@PLAIN second');
      expect((await bench.events(id)).filter((event) => event.type === 'input.delivered')).toHaveLength(1);
      await bench.model.open(gate);
      const first = await bench.event(id, 'turn.completed');
      await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
      const texts = (await bench.events(id)).flatMap((event) => (event.type === 'assistant.text' ? [event.text] : []));
      expect(texts).toEqual([`The gate ${gate} is open.`, 'Plain answer to: second']);
    });

    scenario('dies in mid-text: the next message goes on with the same conversation, and nothing is told twice', async (bench) => {
      const gate = `death-${name}`;
      const { id } = await bench.create('@PLAIN before');
      const first = await bench.event(id, 'turn.completed');
      await bench.send(id, `@SLOW ${gate} 50`);
      await bench.model.arrived(gate, 1);
      await bench.event(id, 'turn.started', (event) => event.seq > first.seq);
      await bench.killAgent(id);
      const died = await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
      expect(died).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
      await bench.send(id, '@PLAIN after');
      const after = await bench.event(id, 'turn.completed', (event) => event.seq > died.seq);
      expect(after.isError).toBe(false);
      const events = await bench.events(id);
      expect(events.filter((event) => event.type === 'assistant.text').map((event) => event.text)).toEqual([
        'Plain answer to: before',
        'Plain answer to: after',
      ]);
      expect(events.filter((event) => event.type === 'user.message')).toHaveLength(3);
      const ids = new Set(events.flatMap((event) => (event.type === 'session.started' ? [event.agentSessionId] : [])));
      expect(ids.size).toBe(1);
      // The agent itself remembers what was said before it died.
      expect(JSON.stringify((await bench.model.requests()).at(-1)?.body)).toContain('Plain answer to: before');
    });

    if (name === 'opencode') asking(scenario);
    else unasked(scenario);
  });
}

type Scenario = (title: string, run: (bench: ClaudeBench) => Promise<void>) => void;

function asking(scenario: Scenario): void {
  scenario('asks before it writes; an approval answered after a killed server is carried out', async (bench) => {
    const path = join(bench.server.project, 'survived.txt');
    const { id } = await bench.create('@WRITE survived.txt after the restart');
    const asked = await bench.event(id, 'permission.requested');
    expect(asked).toMatchObject({ tool: 'edit', kind: 'tool', subject: { kind: 'edit', paths: [path] }, suggestions: [{ name: 'Always allow' }] });
    await bench.server.kill9();
    await bench.server.restart();
    expect((await bench.session(id)).status).toBe('waiting');
    expect(await bench.answer(asked.requestId, 'allow')).toBe(200);
    const done = await bench.event(id, 'turn.completed');
    expect(done.isError).toBe(false);
    expect(done.costUsd).toBeGreaterThan(0);
    expect(readFileSync(path, 'utf8')).toBe('after the restart');
    const tool = (await bench.events(id)).find((event) => event.type === 'tool.completed');
    expect(tool).toMatchObject({ isError: false, change: { kind: 'create', path, patch: '@@ -0,0 +1,1 @@\n+after the restart\n' } });
    expect(await bench.answer(asked.requestId, 'deny')).toBe(409);
  });

  scenario('shows an edit before it is made, and makes it when it may', async (bench) => {
    writeFileSync(join(bench.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const { id } = await bench.create('@EDIT edited.txt two => TWO');
    const asked = await bench.event(id, 'permission.requested');
    await bench.answer(asked.requestId, 'allow');
    await bench.event(id, 'turn.completed');
    const edit = (await bench.events(id)).findLast((event) => event.type === 'tool.completed');
    expect(edit).toMatchObject({ change: { kind: 'edit', patch: expect.stringContaining('-two\n+TWO\n') } });
  });

  scenario('does not run what a person denies', async (bench) => {
    const { id } = await bench.create('@BASH echo no > denied.txt');
    const asked = await bench.event(id, 'permission.requested');
    expect(asked.subject).toMatchObject({ kind: 'command', command: 'echo no > denied.txt' });
    await bench.answer(asked.requestId, 'deny', { message: 'not this' });
    await bench.event(id, 'turn.completed');
    expect(existsSync(join(bench.server.project, 'denied.txt'))).toBe(false);
  });

  scenario('does not run a command that a person changed, which the protocol cannot carry', async (bench) => {
    const { id } = await bench.create('@BASH echo as the model wanted > changed.txt');
    const asked = await bench.event(id, 'permission.requested');
    await bench.answer(asked.requestId, 'allow', { updatedInput: { command: 'echo as the person wanted > changed.txt' } });
    await bench.event(id, 'turn.completed');
    expect(existsSync(join(bench.server.project, 'changed.txt'))).toBe(false);
  });

  scenario('keeps a permission for longer when a person takes up its own suggestion', async (bench) => {
    const { id } = await bench.create('@BASH echo one');
    const asked = await bench.event(id, 'permission.requested');
    await bench.answer(asked.requestId, 'allow', { remember: { scope: 'session', suggestions: [0] } });
    const first = await bench.event(id, 'turn.completed');
    await bench.send(id, '@BASH echo one');
    await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
    expect((await bench.events(id)).filter((event) => event.type === 'permission.requested')).toHaveLength(1);
  });

  scenario('is interrupted while it waits for an answer, and in a tool', async (bench) => {
    const { id } = await bench.create('@WRITE never.txt text');
    const asked = await bench.event(id, 'permission.requested');
    await interrupt(bench, id);
    const first = await bench.event(id, 'turn.completed');
    expect(first.interrupted).toBe(true);
    expect(existsSync(join(bench.server.project, 'never.txt'))).toBe(false);
    expect((await bench.events(id)).filter((event) => event.type === 'permission.resolved')).toMatchObject([{ requestId: asked.requestId }]);
    await bench.send(id, '@BASH sleep 317');
    const second = await bench.event(id, 'permission.requested', (event) => event.seq > first.seq);
    await bench.answer(second.requestId, 'allow');
    await interrupt(bench, id);
    expect(await bench.event(id, 'turn.completed', (event) => event.seq > first.seq)).toMatchObject({ interrupted: true });
    expect(open(await bench.events(id))).toEqual([]);
  });

  scenario('dies while it waits for an answer: the request lapses', async (bench) => {
    const { id } = await bench.create('@WRITE lapsed.txt text');
    const asked = await bench.event(id, 'permission.requested');
    await bench.killAgent(id);
    expect(await bench.event(id, 'turn.completed')).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    expect(await bench.answer(asked.requestId, 'allow')).toBe(409);
    expect(open(await bench.events(id))).toEqual([]);
  });
}

function unasked(scenario: Scenario): void {
  scenario('writes unasked, and tells what it changed', async (bench) => {
    const { id } = await bench.create('@WRITE unasked.txt text');
    await bench.event(id, 'turn.completed');
    const path = join(bench.server.project, 'unasked.txt');
    const tool = (await bench.events(id)).find((event) => event.type === 'tool.completed');
    expect(tool).toMatchObject({ isError: false, change: { kind: 'create', path, patch: '@@ -0,0 +1,1 @@\n+text\n' } });
  });

  scenario('tells what a command printed, and is interrupted in one', async (bench) => {
    const { id } = await bench.create('@BASH echo printed');
    const first = await bench.event(id, 'turn.completed');
    expect(await bench.event(id, 'tool.completed')).toMatchObject({ isError: false, output: expect.stringContaining('printed') });
    await bench.send(id, '@BASH sleep 317');
    await bench.event(id, 'tool.started', (event) => event.seq > first.seq);
    await interrupt(bench, id);
    expect(await bench.event(id, 'turn.completed', (event) => event.seq > first.seq)).toMatchObject({ interrupted: true });
    expect(open(await bench.events(id))).toEqual([]);
  });
}

async function interrupt(bench: ClaudeBench, id: string): Promise<void> {
  expect((await api(bench.server, 'POST', `/api/sessions/${id}/interrupt`, {})).status).toBe(202);
}

/** Calls that have no end. */
function open(events: readonly Event[]): readonly string[] {
  const closed = new Set(events.flatMap((event) => (event.type === 'tool.completed' ? [event.toolUseId] : [])));
  return events.flatMap((event) => (event.type === 'tool.started' && !closed.has(event.toolUseId) ? [event.toolUseId] : []));
}

const SHOWN = ['user.message', 'assistant.text', 'assistant.thinking', 'tool.started', 'tool.completed'];
const kinds = (events: readonly Event[]): readonly string[] => events.map(({ type }) => type).filter((type) => SHOWN.includes(type));
