import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import { type CodexBench, startCodexBench } from '../support/codex-bench.ts';

describe('Codex 0.166.0 behind Signalbox', () => {
  let opened: CodexBench | { readonly skip: string };
  beforeAll(async () => {
    opened = await startCodexBench('0.166.0');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });
  const scenario = (title: string, run: (bench: CodexBench) => Promise<void>) =>
    test(title, async ({ skip }) => {
      if ('skip' in opened) return skip(opened.skip);
      await run(opened);
    });

  scenario('thinks and answers, and every line is told once', async (bench) => {
    const { id } = await bench.create('@THINK about trains');
    const done = await bench.event(id, 'turn.completed');
    const events = await bench.events(id);
    expect(done).toMatchObject({ isError: false, interrupted: false, stopReason: 'end_turn', result: 'Thought about: about trains' });
    expect(done.usage).toMatchObject({ inputTokens: 10, outputTokens: 18 });
    expect(kinds(events)).toEqual(['user.message', 'assistant.thinking', 'assistant.text']);
    expect(events.filter((event) => event.type === 'unrecognised')).toEqual([]);
    expect(await bench.event(id, 'session.started')).toMatchObject({
      version: '0.166.0',
      permissionMode: 'default',
      model: 'scripted',
      cwd: bench.server.project,
    });
    expect((await bench.session(id)).status).toBe('idle');
  });
});

/** What a person would read, in order. */
const READ = new Set(['user.message', 'assistant.text', 'assistant.thinking']);
const kinds = (events: readonly Event[]): readonly string[] => events.map((event) => event.type).filter((type) => READ.has(type));
