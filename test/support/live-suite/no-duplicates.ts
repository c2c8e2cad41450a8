import { expect } from 'vitest';
import type { Event } from '../../../src/protocol/event.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { api } from '../client.ts';
import { runsOf } from '../processes.ts';
import { waitFor } from '../wait-for.ts';
import { openCalls } from './crashes.ts';
import type { LiveSetup } from './live-setup.ts';

/** After any scenario: everything is reported exactly once and completely, and no finished run has left a process. */
export async function expectNoDuplicates(setup: LiveSetup): Promise<void> {
  const { sessions } = (await api<{ sessions: Session[] }>(setup.server, 'GET', '/api/sessions')).body;
  const histories = await Promise.all(sessions.map(({ id }) => setup.events(id)));
  for (const [index, events] of histories.entries()) expectUnique(events, sessions[index]?.status === 'idle');
  const liveRuns = new Set(histories.flatMap(runsWithoutExit));
  await waitFor('the processes of finished runs to end', () => runsOf(setup.server.home).every((run) => liveRuns.has(run)));
}

function expectUnique(events: readonly Event[], isIdle: boolean): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === 'unrecognised')).toEqual([]);
  for (const ids of [itemsOf(events), idsOf(events, 'tool.completed', 'toolUseId'), idsOf(events, 'turn.completed', 'turnId')])
    expect(ids).toEqual([...new Set(ids)]);
  if (!isIdle) return;
  expect(openCalls(events)).toEqual([]);
  expect(idsOf(events, 'turn.completed', 'turnId').toSorted()).toEqual(idsOf(events, 'turn.started', 'turnId').toSorted());
  expect(idsOf(events, 'permission.resolved', 'requestId').toSorted()).toEqual(idsOf(events, 'permission.requested', 'requestId').toSorted());
}

const itemsOf = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => ('itemId' in event && event.itemId !== undefined && READABLE.has(event.type) ? [event.itemId] : []));
const READABLE: ReadonlySet<string> = new Set(['user.message', 'assistant.text', 'assistant.thinking']);

const idsOf = (events: readonly Event[], type: Event['type'], field: string): readonly string[] =>
  events.filter((event) => event.type === type).map((event) => String(Reflect.get(event, field)));

function runsWithoutExit(events: readonly Event[]): readonly string[] {
  const exited = new Set(events.flatMap((event) => (event.type === 'session.exited' ? [event.run] : [])));
  return events.flatMap((event) => (event.type === 'run.opened' && !exited.has(event.run) ? [event.run] : []));
}
