import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import { startClaudeBench } from '../support/claude-bench.ts';
import type { LiveBench } from '../support/live-suite/bench.ts';

for (const version of ['2.1.197', '2.1.325'] as const) {
  describe(`Claude Code ${version} behind Signalbox`, () => {
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

    scenario('thinks and answers, and every line is told once', async (bench) => {
      const { id } = await bench.create('@THINK about trains');
      const done = await bench.event(id, 'turn.completed');
      const events = await bench.events(id);
      expect(done).toMatchObject({ isError: false, interrupted: false });
      expect(kinds(events)).toEqual(['user.message', 'assistant.thinking', 'assistant.text']);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.filter((event) => event.type === 'unrecognised')).toEqual([]);
      expect((await bench.session(id)).status).toBe('idle');
    });

    scenario('asks before it writes; an approval answered after a killed server is carried out', async (bench) => {
      const { id } = await bench.create('@WRITE survived.txt after the restart');
      const asked = await bench.event(id, 'permission.requested');
      await bench.server.restart();
      expect((await bench.session(id)).status).toBe('waiting');
      expect(await bench.answer(asked.requestId, 'allow')).toBe(200);
      const done = await bench.event(id, 'turn.completed');
      expect(done.isError).toBe(false);
      expect(readFileSync(join(bench.server.project, 'survived.txt'), 'utf8')).toBe('after the restart');
      const change = (await bench.events(id)).find((event) => event.type === 'tool.completed');
      expect(change).toMatchObject({ isError: false, change: { kind: 'create', path: join(bench.server.project, 'survived.txt') } });
      expect(await bench.answer(asked.requestId, 'deny')).toBe(409);
    });

    scenario('does as it is told when a person denies', async (bench) => {
      const { id } = await bench.create('@WRITE denied.txt never');
      const asked = await bench.event(id, 'permission.requested');
      await bench.answer(asked.requestId, 'deny', { message: 'not this file' });
      await bench.event(id, 'turn.completed');
      expect(existsSync(join(bench.server.project, 'denied.txt'))).toBe(false);
      const closed = (await bench.events(id)).find((event) => event.type === 'tool.completed');
      expect(closed).toMatchObject({ isError: true, output: expect.stringContaining('not this file') });
    });

    scenario('goes on while no server lives, and the next server shows all of it once', async (bench) => {
      const gate = `road-${version}`;
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
      const gate = `halt-${version}`;
      const { id } = await bench.create(`@SLOW ${gate} 50`);
      await bench.model.arrived(gate, 1);
      await bench.model.release(gate, 3);
      await bench.event(id, 'turn.started');
      const { status } = await fetchPost(bench, `/api/sessions/${id}/interrupt`);
      expect(status).toBe(202);
      const done = await bench.event(id, 'turn.completed');
      expect(done.interrupted).toBe(true);
      await bench.send(id, '@PLAIN again');
      const second = await bench.event(id, 'turn.completed', (event) => event.seq > done.seq);
      expect(second).toMatchObject({ interrupted: false, isError: false });
    });

    scenario('dies in mid-text: its message is shown as interrupted, and the next one resumes', async (bench) => {
      const gate = `death-${version}`;
      const { id } = await bench.create('@PLAIN before');
      const first = await bench.event(id, 'turn.completed');
      const lost = await bench.send(id, `@SLOW ${gate} 50`);
      await bench.model.arrived(gate, 1);
      await bench.event(id, 'turn.started', (event) => event.seq > first.seq);
      await bench.killAgent(id);
      const died = await bench.event(id, 'turn.completed', (event) => event.seq > first.seq);
      expect(died).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
      await bench.event(id, 'session.status', (event) => event.status === 'failed');
      await bench.send(id, '@PLAIN after');
      const after = await bench.event(id, 'turn.completed', (event) => event.seq > died.seq);
      expect(after.isError).toBe(false);
      const events = await bench.events(id);
      expect(events.filter((event) => event.type === 'input.delivered' && event.commandId === lost)).toHaveLength(1);
      expect(events.filter((event) => event.type === 'run.opened').map((event) => event.mode)).toEqual(['new', 'resume']);
    });

    scenario('tells an error of the model as an error', async (bench) => {
      const { id } = await bench.create('@ERROR400');
      const done = await bench.event(id, 'turn.completed');
      expect(done.isError).toBe(true);
      expect((await bench.session(id)).status).toBe('idle');
    });

    scenario('is stopped in mid-command, and the command is gone too', async (bench) => {
      const { id } = await bench.create('@BASH sleep 317', { allowedTools: ['Bash'] });
      await bench.event(id, 'tool.started');
      await fetchPost(bench, `/api/sessions/${id}/stop`);
      await bench.event(id, 'session.exited');
      await bench.event(id, 'session.status', (event) => event.status === 'ended');
      const events = await bench.events(id);
      expect(events.filter((event) => event.type === 'tool.started')).toHaveLength(events.filter((event) => event.type === 'tool.completed').length);
    });
  });
}

/** What a person would read, in order. */
const READ = new Set(['user.message', 'assistant.text', 'assistant.thinking']);
const kinds = (events: readonly Event[]): readonly string[] => events.map((event) => event.type).filter((type) => READ.has(type));

async function fetchPost(bench: LiveBench, path: string): Promise<Response> {
  return fetch(new URL(path, bench.server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.server.token}`, 'content-type': 'application/json' },
    body: '{}',
  });
}
