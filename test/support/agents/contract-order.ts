import * as z from 'zod/mini';
import type { Adapter } from '../../../src/agents/port/adapter.ts';
import type { Observation } from '../../../src/protocol/observation.ts';
import { OBSERVATIONS } from '../../../src/protocol/observation-manifest.ts';
import type { Recording } from './replay.ts';
import { replay } from './replay.ts';

/** Rules about observations: valid, in order, reported once, and complete. */

const SCHEMAS = new Map<string, z.core.$ZodType>(OBSERVATIONS.map(({ type, schema }) => [type, schema]));

/** An observation that is stored unchanged has the fields of the event with its name; the engine only adds number, time and place. */
export function emitsValidObservations(adapter: Adapter, recording: Recording): readonly string[] {
  return replay(adapter, recording).flatMap((observation) => {
    const schema = SCHEMAS.get(observation.type);
    const parsed = schema && z.safeParse(schema, observation);
    return parsed?.success === true
      ? []
      : [`${JSON.stringify(observation).slice(0, 200)}: ${parsed === undefined ? 'no such observation' : z.prettifyError(parsed.error)}`];
  });
}

export function turnsAreOrdered(adapter: Adapter, recording: Recording): readonly string[] {
  let isRunning = false;
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type !== 'turn.began' && observation.type !== 'turn.ended') return [];
    const isWrong = isRunning === (observation.type === 'turn.began');
    isRunning = observation.type === 'turn.began';
    return isWrong ? [`${observation.type} while a turn was ${isRunning ? 'running' : 'not running'}`] : [];
  });
}

export function toolsAreOrdered(adapter: Adapter, recording: Recording): readonly string[] {
  const started = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type === 'tool.started') started.add(observation.toolUseId);
    return observation.type === 'tool.completed' && !started.has(observation.toolUseId) ? [observation.toolUseId] : [];
  });
}

export function itemsAreUnique(adapter: Adapter, recording: Recording): readonly string[] {
  const seen = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (!('itemId' in observation) || observation.itemId === undefined || isPartial(observation)) return [];
    if (seen.has(observation.itemId)) return [`${observation.type} ${observation.itemId} again`];
    seen.add(observation.itemId);
    return [];
  });
}

const isPartial = (observation: Observation): boolean => observation.type === 'delta' || observation.type === 'delta.dropped';

export function deltasAreGapless(adapter: Adapter, recording: Recording): readonly string[] {
  const lengths = new Map<string, number>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type !== 'delta') return [];
    const expected = lengths.get(observation.itemId) ?? 0;
    lengths.set(observation.itemId, observation.offset + observation.text.length);
    return observation.offset === expected ? [] : [`${observation.itemId} at ${observation.offset}, not ${expected}`];
  });
}

export function deltasAreSettled(adapter: Adapter, recording: Recording): readonly string[] {
  const open = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type === 'delta' && observation.parentToolUseId === undefined) open.add(observation.itemId);
    else if ('itemId' in observation && observation.itemId !== undefined) open.delete(observation.itemId);
    return observation.type === 'turn.ended' ? [...open].map((itemId) => `${itemId} was left open`) : [];
  });
}

export function deltasAddUp(adapter: Adapter, recording: Recording): readonly string[] {
  const streamed = new Map<string, string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type === 'delta') streamed.set(observation.itemId, (streamed.get(observation.itemId) ?? '') + observation.text);
    if (observation.type !== 'assistant.text' && observation.type !== 'assistant.thinking') return [];
    const text = streamed.get(observation.itemId ?? '');
    return text === undefined || text === observation.text ? [] : [`${observation.itemId}: ${text} became ${observation.text}`];
  });
}

export function inputsAreTakenOnce(adapter: Adapter, recording: Recording): readonly string[] {
  const taken = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type !== 'input.taken') return [];
    if (taken.has(observation.inputId)) return [`${observation.inputId} again`];
    taken.add(observation.inputId);
    return [];
  });
}
