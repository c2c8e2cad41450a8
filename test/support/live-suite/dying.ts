import { expect } from 'vitest';
import type { Event } from '../../../src/protocol/event.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { api } from '../client.ts';
import { isRunning, processesOf } from '../processes.ts';
import { waitFor } from '../wait-for.ts';
import type { LiveBench } from './bench.ts';
import { answered, heardWith, order, type Scenario, type Stage, sayIn } from './exchange.ts';
import { read } from './speaking.ts';

/** What outlives what. */
export function dying(scenario: Scenario): void {
  scenario('goes on while no server lives, and the next server shows all of it once', async ({ bench, say }) => {
    const exchange = await say('@SLOW road 6');
    await bench.model.arrived('road', 1);
    await bench.model.release('road', 2);
    await bench.server.kill9();
    await bench.model.open('road');
    await bench.server.restart();
    expect(await answered(exchange)).toMatchObject({ isError: false, interrupted: false });
    expect(read(await exchange.events())).toEqual([
      ['user.message', '@SLOW road 6'],
      ['assistant.text', 'piece1 piece2 piece3 piece4 piece5 piece6'],
    ]);
  });

  scenario('sleeps, and the next message wakes it with all that was said', async (stage) => {
    const { bench, can, expectClaimed } = stage;
    const before = await stage.say('@PLAIN before-it-slept');
    await answered(before);
    const { agentSessionId } = await bench.session(before.id);
    await order(bench, before.id, 'sleep');
    await before.event('session.exited');
    const after = await sayIn(bench, before.id, '@PLAIN after-it-slept');
    expect(await answered(after)).toMatchObject({ isError: false });
    expect((await after.event('run.opened')).mode).toBe(can.resume ? 'resume' : 'new');
    expect((await heardWith(bench, 'after-it-slept')).includes('before-it-slept')).toBe(can.resume);
    expect((await bench.session(before.id)).agentSessionId === agentSessionId).toBe(can.resume);
    expect(read(await after.events())).toHaveLength(2);
    await expectClaimed('resume');
  });

  scenario('is killed in mid-text: its turn ends with the reason, and the next message goes on', async (stage) => {
    const { bench, can } = stage;
    const lost = await stage.say('@SLOW death 50');
    await bench.model.arrived('death', 1);
    await lost.event('turn.started');
    await bench.killAgent(lost.id);
    expect(await answered(lost)).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    const after = await sayIn(bench, lost.id, '@PLAIN after-its-death');
    expect(await answered(after)).toMatchObject({ isError: false });
    expect((await after.event('run.opened')).mode).toBe(can.resume ? 'resume' : 'new');
    expect(read(await after.events())).toEqual([
      ['user.message', '@PLAIN after-its-death'],
      ['assistant.text', 'Plain answer to: after-its-death'],
    ]);
    expect((await bench.events(lost.id)).filter((event) => event.type === 'input.delivered' && event.commandId === lost.commandId)).toHaveLength(1);
  });
}

/** The last of all: it leaves nothing running. */
export function stopping(scenario: Scenario): void {
  scenario('is stopped in a command, and no process is left but the server, and what serves all sessions', async (stage) => {
    const { bench } = stage;
    const seconds = `317.${process.pid}`;
    const exchange = await stage.say(`@BASH touch stopped.txt && sleep ${seconds}`);
    if (stage.can.permissions) await bench.answer((await exchange.event('permission.requested')).requestId, 'allow');
    await waitFor('the command to run', () => isRunning(['sleep', seconds]));
    await stopAll(stage);
    await exchange.event('session.exited');
    expect(openCalls(await exchange.events())).toEqual([]);
    await waitFor('the end of all other processes', () => othersIn(bench).length === 0);
    expect(isRunning(['sleep', seconds])).toBe(false);
  });
}

/** Asked anew each time: what ends meanwhile must not take the place of what stays. */
function othersIn({ server, outliving }: LiveBench): readonly number[] {
  const staying = new Set([server.pid, ...(outliving?.() ?? [])]);
  return processesOf(server.home).filter((pid) => !staying.has(pid));
}

async function stopAll({ bench }: Stage): Promise<void> {
  const { sessions } = (await api<{ sessions: Session[] }>(bench.server, 'GET', '/api/sessions')).body;
  for (const { id, control } of sessions) if (control === 'here') await order(bench, id, 'stop');
}

/** Calls that have no end. */
export function openCalls(events: readonly Event[]): readonly string[] {
  const closed = new Set(events.flatMap((event) => (event.type === 'tool.completed' ? [event.toolUseId] : [])));
  return events.flatMap((event) => (event.type === 'tool.started' && !closed.has(event.toolUseId) ? [event.toolUseId] : []));
}
