import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { api } from '../support/client.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { processesWith } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';

const DIAL_IN = { transport: 'dial-in' };

describe('Claude Code 2.1.120, which dials in, behind Signalbox', () => {
  let opened: LiveSetup | { readonly skip: string };
  beforeAll(async () => {
    opened = await startClaudeSetup('2.1.120');
  });
  afterAll(async () => {
    if ('close' in opened) await opened.close();
  });
  const scenario = (title: string, run: (setup: LiveSetup) => Promise<void>) =>
    test(title, async ({ skip }) => {
      if ('skip' in opened) return skip(opened.skip);
      await run(opened);
    });

  scenario('asks before it writes; the server is killed mid-turn, and an answer given after the restart is carried out', async (setup) => {
    const { id } = await setup.create('@WRITE survived.txt after the restart', DIAL_IN);
    const asked = await setup.event(id, 'permission.requested');
    await setup.server.restart();
    expect((await setup.session(id)).status).toBe('waiting');
    expect(await setup.answer(asked.requestId, 'allow')).toBe(200);
    expect(await setup.event(id, 'turn.completed')).toMatchObject({ isError: false, interrupted: false });
    expect(readFileSync(join(setup.server.project, 'survived.txt'), 'utf8')).toBe('after the restart');
    const events = await setup.events(id);
    expect(events.filter((event) => event.type === 'unrecognised')).toEqual([]);
    expect(events.filter((event) => event.type === 'assistant.text')).toHaveLength(1);
    await setup.event(id, 'session.status', (event) => event.status === 'idle');
  });

  scenario('is interrupted mid-text, takes the next message, and continues where it was after sleeping', async (setup) => {
    const { id } = await setup.create('@SLOW halt-120 50', DIAL_IN);
    await setup.model.arrived('halt-120', 1);
    await setup.model.release('halt-120', 3);
    await setup.event(id, 'turn.started');
    await api(setup.server, 'POST', `/api/sessions/${id}/interrupt`, {});
    const first = await setup.event(id, 'turn.completed');
    expect(first.interrupted).toBe(true);
    await setup.send(id, '@PLAIN again');
    const second = await setup.event(id, 'turn.completed', (event) => event.seq > first.seq);
    expect(second).toMatchObject({ interrupted: false, isError: false });
    await api(setup.server, 'POST', `/api/sessions/${id}/sleep`, {});
    await setup.event(id, 'session.exited');
    await setup.send(id, '@PLAIN awake');
    expect(await setup.event(id, 'turn.completed', (event) => event.seq > second.seq)).toMatchObject({ isError: false });
    expect((await setup.events(id)).flatMap((event) => (event.type === 'run.opened' ? [event.mode] : []))).toEqual(['new', 'resume']);
  });

  scenario('loses its connection and dials in again: nothing is reported twice, and the next message is answered', async (setup) => {
    const { id } = await setup.create('@PLAIN before', DIAL_IN);
    const { run } = await setup.event(id, 'run.opened');
    const first = await setup.event(id, 'turn.completed');
    await displaceCli(run);
    await setup.send(id, '@PLAIN after');
    await setup.event(id, 'turn.completed', (event) => event.seq > first.seq);
    const events = await setup.events(id);
    expect(events.filter((event) => event.type === 'turn.completed')).toHaveLength(2);
    const uuids = uuidsIn(join(setup.server.data, 'sessions', id, run, 'out.ndjson'));
    expect(uuids.length).toBeGreaterThan(10);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(events.filter((event) => event.type === 'unrecognised')).toEqual([]);
  });

  scenario('is stopped mid-command: its result is reported, and no bridge, CLI or command is left running', async (setup) => {
    const { id } = await setup.create('@BASH sleep 318', { ...DIAL_IN, allowedTools: ['Bash'] });
    const { run } = await setup.event(id, 'run.opened');
    await setup.event(id, 'tool.started');
    await waitFor('the command', () => processesWith('SIGNALBOX_RUN', run).some((pid) => nameOf(pid) === 'sleep'));
    await api(setup.server, 'POST', `/api/sessions/${id}/stop`, {});
    await setup.event(id, 'session.exited');
    await setup.event(id, 'session.status', (event) => event.status === 'ended');
    expect(processesWith('SIGNALBOX_RUN', run)).toEqual([]);
    expect(await setup.event(id, 'turn.completed')).toMatchObject({ interrupted: true, stopReason: 'interrupted' });
    expect(await setup.event(id, 'tool.completed')).toMatchObject({ isError: true });
  });

  scenario('does not keep running when the bridge is killed, and the next message resumes', async (setup) => {
    const { id } = await setup.create('@SLOW alone-120 50', DIAL_IN);
    const { run } = await setup.event(id, 'run.opened');
    await setup.model.arrived('alone-120', 1);
    await setup.event(id, 'turn.started');
    await setup.killAgent(id);
    const died = await setup.event(id, 'turn.completed');
    expect(died).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    expect(processesWith('SIGNALBOX_RUN', run)).toEqual([]);
    await setup.send(id, '@PLAIN after');
    expect(await setup.event(id, 'turn.completed', (event) => event.seq > died.seq)).toMatchObject({ isError: false });
  });
});

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return ''; // it has exited
  }
}

const uuidsIn = (file: string): readonly string[] =>
  linesIn(file).flatMap((line) => {
    const { uuid }: { uuid?: string } = JSON.parse(line);
    return uuid ?? [];
  });

const linesIn = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

/** Dials in with the CLI's own secrets, which makes the bridge drop the CLI, and disconnects at once. */
async function displaceCli(run: string): Promise<void> {
  const cli = processesWith('SIGNALBOX_RUN', run).find((pid) => wordsOf(pid, 'cmdline').includes('--sdk-url')) ?? 0;
  const url = wordsOf(cli, 'cmdline').at(wordsOf(cli, 'cmdline').indexOf('--sdk-url') + 1) ?? '';
  const token = wordsOf(cli, 'environ')
    .find((word) => word.startsWith('CLAUDE_CODE_SESSION_ACCESS_TOKEN='))
    ?.split('=')[1];
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  await once(socket, 'open');
  socket.close();
  await once(socket, 'close');
}

const wordsOf = (pid: number, file: 'cmdline' | 'environ'): readonly string[] => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
