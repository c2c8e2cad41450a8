import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import { startAcpBench } from '../support/acp-bench.ts';
import type { ClaudeBench } from '../support/claude-bench.ts';

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
      if (done.isError) console.log(JSON.stringify(events.map(({ seq, type, ...e }) => [type, e])).slice(0, 6000));
      expect(done).toMatchObject({ isError: false, interrupted: false, stopReason: 'end_turn', contextWindow: 200_000 });
      expect(kinds(events)).toEqual(['user.message', 'assistant.thinking', 'assistant.text']);
      expect(events.find((event) => event.type === 'assistant.text')).toMatchObject({ text: 'Thought about: about trains' });
      expect(events.filter((event) => event.type === 'unrecognised' || event.type === 'notice.shown')).toEqual([]);
      expect(await bench.event(id, 'session.started', (event) => event.commands.length > 0)).toMatchObject({
        model: 'local/scripted',
        cwd: bench.server.project,
        models: expect.arrayContaining([{ value: 'local/scripted-two' }]),
      });
      expect((await bench.session(id)).status).toBe('idle');
    });
  });
}

const SHOWN = ['user.message', 'assistant.text', 'assistant.thinking', 'tool.started', 'tool.completed'];
const kinds = (events: readonly Event[]): readonly string[] => events.map(({ type }) => type).filter((type) => SHOWN.includes(type));
