import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '../../../src/agents/claude-code/index.ts';
import type { Adapter } from '../../../src/agents/port/adapter.ts';
import { readRange } from '../../../src/host/compress.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { Observation } from '../../../src/protocol/observation.ts';
import { standInAdapter } from '../../support/stand-in-adapter/index.ts';
import type { Actor, Setup } from '../setup.ts';
import { runsOf } from '../situations.ts';
import { count, type Tally } from '../tally.ts';

/** Every line that an agent printed is in the journal once: reads its file from byte 0 and compares it with the events that name those bytes. */
export async function compareLines(setup: Setup, actor: Actor, events: readonly Event[], tally: Tally): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const run of runsOf(events)) {
    const bytes = Buffer.from(await outputOf(setup, actor, run));
    const expected = expectedKeys(adapterOf(actor), bytes, tally);
    const found = events.filter((event) => event.src?.run === run).flatMap(keyOfEvent);
    count(tally, 'items of agents', expected.length);
    problems.push(...differences(expected, found).map((what) => `run ${run}: ${what}`));
  }
  return problems;
}

const adapterOf = (actor: Actor): Adapter => (actor.agent === 'stand-in' ? standInAdapter : claudeCode) as Adapter;

/** Everything an agent printed in one run; a run that was planned but never started has no file. */
export async function outputOf(setup: Setup, actor: Actor, run: string): Promise<Uint8Array> {
  const path = join(setup.folderOf(actor.id, run), 'out.ndjson');
  const exists = existsSync(path) || existsSync(`${path}.gz`);
  return exists ? readRange(path, 0, Number.MAX_SAFE_INTEGER) : new Uint8Array();
}

/** Keys of everything in these lines that the journal must store, each with its byte. */
function expectedKeys(adapter: Adapter, bytes: Buffer, tally: Tally): readonly string[] {
  const keys: string[] = [];
  let state = adapter.initial();
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    const step = adapter.translate(state, bytes.toString('utf8', from, end));
    keys.push(...step.observations.flatMap((observation) => keyOfObservation(observation, from)));
    state = step.state;
    from = end + 1;
    count(tally, 'lines of agents');
  }
  return keys;
}

/** The key: event type, byte and text. */
function keyOfObservation(observation: Observation, byte: number): readonly string[] {
  switch (observation.type) {
    case 'turn.ended':
      return [`turn.completed @${byte}`];
    case 'permission.asked':
      return [`permission.requested @${byte} ${observation.agentRequestId}`];
    case 'delta':
    case 'delta.dropped':
    case 'reply':
    case 'agent.ready':
    case 'turn.began':
    case 'input.taken':
    case 'input.dropped':
    case 'permission.withdrawn':
      return [];
    case 'tool.called':
      return [`tool.asked @${byte} ${observation.agentRequestId}`];
    default:
      return [`${observation.type} @${byte} ${observation.itemId ?? ''} ${textIn(observation)}`];
  }
}

const CONSEQUENCES = new Set([
  'session.status',
  'run.ready',
  'run.ending',
  'run.opened',
  'turn.started',
  'input.consumed',
  'input.delivered',
  'input.cancelled',
  'permission.resolved',
  'output.lost',
]);

/** The same key for a journal event; none for an event that only follows from another one. */
function keyOfEvent(event: Event): readonly string[] {
  if (CONSEQUENCES.has(event.type)) return [];
  if (event.type === 'turn.completed') return [`turn.completed @${event.src?.byte}`];
  if (event.type === 'permission.requested') return [`permission.requested @${event.src?.byte} ${event.agentRequestId}`];
  if (event.type === 'user.message' && event.origin === 'person') return [];
  if (event.type === 'tool.completed' && event.closedBy !== undefined) return [];
  return [`${event.type} @${event.src?.byte} ${event.itemId ?? ''} ${textIn(event)}`];
}

/** Long texts are stored as blobs with their head in the event, so only the head is compared. */
const HEAD = 1000;
const textIn = (thing: object): string => ('text' in thing && typeof thing.text === 'string' ? thing.text.slice(0, HEAD) : '');

function differences(expected: readonly string[], found: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const key of expected) left.set(key, (left.get(key) ?? 0) + 1);
  for (const key of found) left.set(key, (left.get(key) ?? 0) - 1);
  return [...left].flatMap(([key, difference]) => {
    if (difference === 0) return [];
    return [difference > 0 ? `lost ${difference} × ${key}` : `duplicated or invented ${-difference} × ${key}`];
  });
}
