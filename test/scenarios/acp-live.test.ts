import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, EventOf, EventType } from '../../src/protocol/event.ts';
import type { AgentDescription } from '../../src/protocol/http.ts';
import { startAcpBench } from '../support/acp-bench.ts';
import { api } from '../support/client.ts';
import type { LiveBench } from '../support/live-suite/bench.ts';

for (const name of ['opencode', 'pi-acp'] as const) {
  describe(`${name} behind Signalbox, by configuration alone`, () => {
    let opened: LiveBench | { readonly skip: string };
    beforeAll(async () => {
      opened = await startAcpBench(name);
    });
    afterAll(async () => {
      if ('close' in opened) await opened.close();
    });
    // Some of these agents take five seconds to start: one session serves for all that leaves it at rest.
    let shared: string | undefined;
    const say = async (bench: LiveBench, prompt: string): Promise<Talk> => {
      const rested = shared !== undefined && (await bench.session(shared)).status === 'idle' ? shared : undefined;
      const id = rested ?? (await bench.create()).id;
      shared = id;
      const since = (await bench.session(id)).lastSeq;
      await bench.send(id, prompt);
      return talkOf(bench, id, since);
    };
    const scenario: Scenario = (title, run) =>
      test(title, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened, say);
      });

    scenario('thinks and answers, and every line is told once', async (bench, say) => {
      const talk = await say(bench, '@THINK about trains');
      const done = await talk.event('turn.completed');
      const events = await talk.events();
      expect(done).toMatchObject({ isError: false, interrupted: false, stopReason: 'end_turn', contextWindow: 200_000 });
      expect(kinds(events)).toEqual(['user.message', 'assistant.thinking', 'assistant.text']);
      expect(events.find((event) => event.type === 'assistant.text')).toMatchObject({ text: 'Thought about: about trains' });
      // A machine that is busy may have it start slowly, which is told.
      expect(events.filter((event) => event.type === 'unrecognised' || (event.type === 'notice.shown' && !event.text.includes('printed nothing')))).toEqual([]);
      expect(await talk.event('session.started', (event) => event.commands.length > 0)).toMatchObject({
        model: 'local/scripted',
        cwd: bench.server.project,
        models: expect.arrayContaining([{ value: 'local/scripted-two' }]),
        agentCapabilities: expect.arrayContaining(['resume', 'images']),
      });
      expect((await bench.session(talk.id)).status).toBe('idle');
    });

    scenario('is listed with what its configuration says that it can do', async (bench) => {
      const { agents } = (await api<{ agents: AgentDescription[] }>(bench.server, 'GET', '/api/agents')).body;
      const ours = agents.find((agent) => agent.id === `acp:${name}`);
      expect(ours).toMatchObject({ available: true, capabilities: { streaming: true, resume: true, permissions: name === 'opencode', steer: false } });
    });

    scenario('goes on while no server lives, and the next server shows all of it once', async (bench, say) => {
      const gate = `road-${name}`;
      const talk = await say(bench, `@SLOW ${gate} 6`);
      await bench.model.arrived(gate, 1);
      await bench.model.release(gate, 2);
      await bench.server.kill9();
      await bench.model.open(gate);
      await bench.server.restart();
      await talk.event('turn.completed');
      const events = await talk.events();
      expect(kinds(events)).toEqual(['user.message', 'assistant.text']);
      expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(1);
    });

    scenario('is interrupted in mid-text and takes the next message', async (bench, say) => {
      const gate = `halt-${name}`;
      const talk = await say(bench, `@SLOW ${gate} 50`);
      await bench.model.arrived(gate, 1);
      await bench.model.release(gate, 3);
      await talk.event('turn.started');
      await interrupt(bench, talk.id);
      const done = await talk.event('turn.completed');
      expect(done).toMatchObject({ interrupted: true, isError: false });
      await bench.send(talk.id, '@PLAIN again');
      const second = await talk.event('turn.completed', (event) => event.seq > done.seq);
      expect(second).toMatchObject({ interrupted: false, isError: false });
    });

    scenario('tells an error of the model, whether the agent passes it on or keeps silent', async (bench, say) => {
      const talk = await say(bench, '@ERROR400');
      const done = await talk.event('turn.completed');
      const words = name === 'opencode' ? 'The request is not understood' : 'without saying or doing anything';
      expect(done).toMatchObject({ isError: true, stopReason: 'error', errors: [expect.stringContaining(words)] });
    });

    scenario('changes its model, and says no to one that is not there', async (bench, say) => {
      const talk = await say(bench, '@PLAIN first');
      await talk.event('turn.completed');
      await api(bench.server, 'PUT', `/api/sessions/${talk.id}/model`, { model: 'local/scripted-two' });
      await talk.event('model.changed', (event) => event.model === 'local/scripted-two');
      await api(bench.server, 'PUT', `/api/sessions/${talk.id}/model`, { model: 'local/nowhere' });
      expect(await talk.event('setting.refused')).toMatchObject({ setting: 'model', reason: expect.stringContaining('local/scripted-two') });
    });

    scenario('queues a message that is sent while it works, and never sends two', async (bench, say) => {
      const gate = `busy-${name}`;
      const talk = await say(bench, `@UNTIL ${gate}`);
      await talk.event('turn.started');
      await bench.send(talk.id, '@PLAIN second');
      expect((await talk.events()).filter((event) => event.type === 'input.delivered')).toHaveLength(1);
      await bench.model.open(gate);
      const first = await talk.event('turn.completed');
      await talk.event('turn.completed', (event) => event.seq > first.seq);
      const texts = (await talk.events()).flatMap((event) => (event.type === 'assistant.text' ? [event.text] : []));
      expect(texts).toEqual([`The gate ${gate} is open.`, 'Plain answer to: second']);
    });

    scenario('dies in mid-text: the next message goes on with the same conversation, and nothing is told twice', async (bench, say) => {
      const gate = `death-${name}`;
      const talk = await say(bench, '@PLAIN before');
      const first = await talk.event('turn.completed');
      await bench.send(talk.id, `@SLOW ${gate} 50`);
      await bench.model.arrived(gate, 1);
      await talk.event('turn.started', (event) => event.seq > first.seq);
      const conversation = (await bench.session(talk.id)).agentSessionId;
      await bench.killAgent(talk.id);
      const died = await talk.event('turn.completed', (event) => event.seq > first.seq);
      expect(died).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
      await bench.send(talk.id, '@PLAIN after');
      const after = await talk.event('turn.completed', (event) => event.seq > died.seq);
      expect(after.isError).toBe(false);
      const events = await talk.events();
      expect(events.filter((event) => event.type === 'assistant.text').map((event) => event.text)).toEqual([
        'Plain answer to: before',
        'Plain answer to: after',
      ]);
      expect(events.filter((event) => event.type === 'user.message')).toHaveLength(3);
      expect((await bench.session(talk.id)).agentSessionId).toBe(conversation);
      // The agent itself remembers what was said before it died.
      expect(JSON.stringify((await bench.model.requests()).at(-1)?.body)).toContain('Plain answer to: before');
    });

    if (name === 'opencode') asking(scenario);
    else unasked(scenario);
  });
}

/** What came of a message: events from it on. */
interface Talk {
  readonly id: string;
  events(): Promise<readonly Event[]>;
  event<T extends EventType>(type: T, fits?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>;
}

const talkOf = (bench: LiveBench, id: string, since: number): Talk => ({
  id,
  events: async () => (await bench.events(id)).filter((event) => event.seq > since),
  event: (type, fits = () => true) => bench.event(id, type, (event) => event.seq > since && fits(event)),
});

type Say = (bench: LiveBench, prompt: string) => Promise<Talk>;
type Scenario = (title: string, run: (bench: LiveBench, say: Say) => Promise<void>) => void;

function asking(scenario: Scenario): void {
  scenario('asks before it writes; an approval answered after a killed server is carried out', async (bench, say) => {
    const path = join(bench.server.project, 'survived.txt');
    const talk = await say(bench, '@WRITE survived.txt after the restart');
    const asked = await talk.event('permission.requested');
    expect(asked).toMatchObject({ tool: 'edit', kind: 'tool', subject: { kind: 'edit', paths: [path] }, suggestions: [{ name: 'Always allow' }] });
    await bench.server.kill9();
    await bench.server.restart();
    expect((await bench.session(talk.id)).status).toBe('waiting');
    expect(await bench.answer(asked.requestId, 'allow')).toBe(200);
    const done = await talk.event('turn.completed');
    expect(done.isError).toBe(false);
    expect(done.costUsd).toBeGreaterThan(0);
    expect(readFileSync(path, 'utf8')).toBe('after the restart');
    const tool = (await talk.events()).find((event) => event.type === 'tool.completed');
    expect(tool).toMatchObject({ isError: false, change: { kind: 'create', path, patch: '@@ -0,0 +1,1 @@\n+after the restart\n' } });
    expect(await bench.answer(asked.requestId, 'deny')).toBe(409);
  });

  scenario('shows an edit before it is made, and makes it when it may', async (bench, say) => {
    writeFileSync(join(bench.server.project, 'edited.txt'), 'one\ntwo\nthree\n');
    const talk = await say(bench, '@EDIT edited.txt two => TWO');
    const asked = await talk.event('permission.requested');
    await bench.answer(asked.requestId, 'allow');
    await talk.event('turn.completed');
    const edit = (await talk.events()).findLast((event) => event.type === 'tool.completed');
    expect(edit).toMatchObject({ change: { kind: 'edit', patch: expect.stringContaining('-two\n+TWO\n') } });
  });

  scenario('does not run what a person denies', async (bench, say) => {
    const talk = await say(bench, '@BASH echo no > denied.txt');
    const asked = await talk.event('permission.requested');
    expect(asked.subject).toMatchObject({ kind: 'command', command: 'echo no > denied.txt' });
    await bench.answer(asked.requestId, 'deny', { message: 'not this' });
    await talk.event('turn.completed');
    expect(existsSync(join(bench.server.project, 'denied.txt'))).toBe(false);
  });

  scenario('does not run a command that a person changed, which the protocol cannot carry', async (bench, say) => {
    const talk = await say(bench, '@BASH echo as the model wanted > changed.txt');
    const asked = await talk.event('permission.requested');
    await bench.answer(asked.requestId, 'allow', { updatedInput: { command: 'echo as the person wanted > changed.txt' } });
    await talk.event('turn.completed');
    expect(existsSync(join(bench.server.project, 'changed.txt'))).toBe(false);
  });

  scenario('keeps a permission for longer when a person takes up its own suggestion', async (bench, say) => {
    const talk = await say(bench, '@BASH echo one');
    const asked = await talk.event('permission.requested');
    await bench.answer(asked.requestId, 'allow', { remember: { scope: 'session', suggestions: [0] } });
    const first = await talk.event('turn.completed');
    await bench.send(talk.id, '@BASH echo one');
    await talk.event('turn.completed', (event) => event.seq > first.seq);
    expect((await talk.events()).filter((event) => event.type === 'permission.requested')).toHaveLength(1);
  });

  scenario('is interrupted while it waits for an answer, and in a tool', async (bench, say) => {
    const talk = await say(bench, '@WRITE never.txt text');
    const asked = await talk.event('permission.requested');
    await interrupt(bench, talk.id);
    const first = await talk.event('turn.completed');
    expect(first.interrupted).toBe(true);
    expect(existsSync(join(bench.server.project, 'never.txt'))).toBe(false);
    expect((await talk.events()).filter((event) => event.type === 'permission.resolved')).toMatchObject([{ requestId: asked.requestId }]);
    await bench.send(talk.id, '@BASH sleep 317');
    const second = await talk.event('permission.requested', (event) => event.seq > first.seq);
    await bench.answer(second.requestId, 'allow');
    await interrupt(bench, talk.id);
    expect(await talk.event('turn.completed', (event) => event.seq > first.seq)).toMatchObject({ interrupted: true });
    expect(open(await talk.events())).toEqual([]);
  });

  scenario('dies while it waits for an answer: the request lapses', async (bench, say) => {
    const talk = await say(bench, '@WRITE lapsed.txt text');
    const asked = await talk.event('permission.requested');
    await bench.killAgent(talk.id);
    expect(await talk.event('turn.completed')).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    expect(await bench.answer(asked.requestId, 'allow')).toBe(409);
    expect(open(await talk.events())).toEqual([]);
  });
}

function unasked(scenario: Scenario): void {
  scenario('writes unasked, and tells what it changed', async (bench, say) => {
    const talk = await say(bench, '@WRITE unasked.txt text');
    await talk.event('turn.completed');
    const path = join(bench.server.project, 'unasked.txt');
    const tool = (await talk.events()).find((event) => event.type === 'tool.completed');
    expect(tool).toMatchObject({ isError: false, change: { kind: 'create', path, patch: '@@ -0,0 +1,1 @@\n+text\n' } });
  });

  scenario('tells what a command printed, and is interrupted in one', async (bench, say) => {
    const talk = await say(bench, '@BASH echo printed');
    const first = await talk.event('turn.completed');
    expect(await talk.event('tool.completed')).toMatchObject({ isError: false, output: expect.stringContaining('printed') });
    await bench.send(talk.id, '@BASH sleep 317');
    await talk.event('tool.started', (event) => event.seq > first.seq);
    await interrupt(bench, talk.id);
    expect(await talk.event('turn.completed', (event) => event.seq > first.seq)).toMatchObject({ interrupted: true });
    expect(open(await talk.events())).toEqual([]);
  });
}

async function interrupt(bench: LiveBench, id: string): Promise<void> {
  expect((await api(bench.server, 'POST', `/api/sessions/${id}/interrupt`, {})).status).toBe(202);
}

/** Calls that have no end. */
function open(events: readonly Event[]): readonly string[] {
  const closed = new Set(events.flatMap((event) => (event.type === 'tool.completed' ? [event.toolUseId] : [])));
  return events.flatMap((event) => (event.type === 'tool.started' && !closed.has(event.toolUseId) ? [event.toolUseId] : []));
}

const SHOWN = ['user.message', 'assistant.text', 'assistant.thinking', 'tool.started', 'tool.completed'];
const kinds = (events: readonly Event[]): readonly string[] => events.map(({ type }) => type).filter((type) => SHOWN.includes(type));
