import type { CommandId } from '../protocol/ids.ts';
import type { Observation } from '../protocol/observation.ts';
import type { Adapter } from './adapter.ts';

/** The lines that a real CLI printed in one life of its process. */
export interface Recording {
  readonly name: string;
  readonly lines: readonly string[];
}

/** One promise of every adapter. `violations` says in words what of a recording breaks it; nothing when it holds. */
export interface Rule {
  readonly title: string;
  violations(adapter: Adapter, recording: Recording): readonly string[];
}

/** What the engine and the browser rely on, whatever the agent. */
export const CONTRACT: readonly Rule[] = [
  { title: 'replaying a recording gives the same observations', violations: repeats },
  { title: 'folding goes on the same from a state that was stored and read again', violations: survivesStorage },
  { title: 'a state is never changed in place', violations: leavesStatesAlone },
  { title: 'the state stays small', violations: staysSmall },
  { title: 'half a line, or anything else that is no message, is kept as unrecognised and never thrown', violations: survivesJunk },
  { title: 'a turn begins before it ends, and not twice', violations: turnsAreOrdered },
  { title: 'a tool that completes has started', violations: toolsAreOrdered },
  { title: 'an item has its id for itself', violations: itemsAreUnique },
  { title: 'text in progress has no gaps', violations: deltasAreGapless },
  { title: 'at the end of a turn all text in progress has become an item or was dropped', violations: deltasAreSettled },
  { title: 'a finished text is what was streamed of it', violations: deltasAddUp },
  { title: 'an input is reported as taken once', violations: inputsAreTakenOnce },
];

/** Everything that an adapter reads in a recording. */
export function replay(adapter: Adapter, recording: Recording, between: (state: unknown) => unknown = (state) => state): readonly Observation[] {
  let state = adapter.initial();
  return recording.lines.flatMap((line) => {
    const step = adapter.translate(between(state), line);
    state = step.state;
    return step.observations;
  });
}

/** Texts that a person can paste and that must reach the agent as one line each. */
export const ODD_TEXTS: readonly string[] = [
  'two\nlines\r\nand more',
  'line\u2028separator and paragraph\u2029separator',
  'half a pair \ud800 and the other half \udc00',
  'a whole pair \u{1f682}',
  'nul \u0000 and bell \u0007',
  '{"type":"user"}\n{"type":"user"}',
  '"quotes" and \\backslashes\\',
  'x'.repeat(1_000_000),
];

/** The lines that carry an odd text, as an input and as an answer. */
export function encodeOdd(adapter: Adapter, text: string): readonly string[] {
  const state = adapter.initial();
  const commandId = `odd ${text.slice(0, 20)}` as CommandId;
  return [
    ...adapter.encode({ kind: 'input', commandId, text, images: [], steer: false }, state),
    ...adapter.encode({ kind: 'answer', agentRequestId: 'r', input: { text }, verdict: { behavior: 'allow' } }, state),
    ...adapter.encode({ kind: 'answer', agentRequestId: 'r', input: {}, verdict: { behavior: 'deny', message: text, interrupt: false } }, state),
  ];
}

function repeats(adapter: Adapter, recording: Recording): readonly string[] {
  return differences(replay(adapter, recording), replay(adapter, recording));
}

function survivesStorage(adapter: Adapter, recording: Recording): readonly string[] {
  return differences(
    replay(adapter, recording),
    replay(adapter, recording, (state) => JSON.parse(JSON.stringify(state))),
  );
}

function leavesStatesAlone(adapter: Adapter, recording: Recording): readonly string[] {
  return differences(replay(adapter, recording), replay(adapter, recording, frozen));
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function differences(expected: readonly Observation[], actual: readonly Observation[]): readonly string[] {
  const at = expected.findIndex((observation, index) => JSON.stringify(observation) !== JSON.stringify(actual[index]));
  if (at >= 0) return [`observation ${at}: ${JSON.stringify(expected[at])} became ${JSON.stringify(actual[at])}`];
  return expected.length === actual.length ? [] : [`${expected.length} observations became ${actual.length}`];
}

/** It is stored beside the journal with every durable event. */
const STATE_CHARS = 16 * 1024;

function staysSmall(adapter: Adapter, recording: Recording): readonly string[] {
  let largest = 0;
  replay(adapter, recording, (state) => {
    largest = Math.max(largest, JSON.stringify(state).length);
    return state;
  });
  return largest > STATE_CHARS ? [`${largest} characters`] : [];
}

function survivesJunk(adapter: Adapter, recording: Recording): readonly string[] {
  let state = adapter.initial();
  return recording.lines.flatMap((line) => {
    const half = line.slice(0, Math.ceil(line.length / 2));
    const strange = ['[]', 'null', '7', '{}', '{"type":7}', '{"type":"never seen"}', '{"type":"__proto__"}', half];
    const broken = strange.filter((junk) => !adapter.translate(state, junk).observations.some((observation) => observation.type === 'unrecognised'));
    state = adapter.translate(state, line).state;
    return broken.map((junk) => `not kept: ${junk.slice(0, 100)}`);
  });
}

function turnsAreOrdered(adapter: Adapter, recording: Recording): readonly string[] {
  let isRunning = false;
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type !== 'turn.began' && observation.type !== 'turn.ended') return [];
    const isWrong = isRunning === (observation.type === 'turn.began');
    isRunning = observation.type === 'turn.began';
    return isWrong ? [`${observation.type} while a turn was ${isRunning ? 'running' : 'not running'}`] : [];
  });
}

function toolsAreOrdered(adapter: Adapter, recording: Recording): readonly string[] {
  const started = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type === 'tool.started') started.add(observation.toolUseId);
    return observation.type === 'tool.completed' && !started.has(observation.toolUseId) ? [observation.toolUseId] : [];
  });
}

function itemsAreUnique(adapter: Adapter, recording: Recording): readonly string[] {
  const seen = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (!('itemId' in observation) || observation.itemId === undefined || isPartial(observation)) return [];
    if (seen.has(observation.itemId)) return [`${observation.type} ${observation.itemId} again`];
    seen.add(observation.itemId);
    return [];
  });
}

const isPartial = (observation: Observation): boolean => observation.type === 'delta' || observation.type === 'delta.dropped';

function deltasAreGapless(adapter: Adapter, recording: Recording): readonly string[] {
  const lengths = new Map<string, number>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type !== 'delta') return [];
    const expected = lengths.get(observation.itemId) ?? 0;
    lengths.set(observation.itemId, observation.offset + observation.text.length);
    return observation.offset === expected ? [] : [`${observation.itemId} at ${observation.offset}, not ${expected}`];
  });
}

function deltasAreSettled(adapter: Adapter, recording: Recording): readonly string[] {
  const open = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type === 'delta' && observation.parentToolUseId === undefined) open.add(observation.itemId);
    else if ('itemId' in observation && observation.itemId !== undefined) open.delete(observation.itemId);
    return observation.type === 'turn.ended' ? [...open].map((itemId) => `${itemId} was left open`) : [];
  });
}

function deltasAddUp(adapter: Adapter, recording: Recording): readonly string[] {
  const streamed = new Map<string, string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type === 'delta') streamed.set(observation.itemId, (streamed.get(observation.itemId) ?? '') + observation.text);
    if (observation.type !== 'assistant.text' && observation.type !== 'assistant.thinking') return [];
    const text = streamed.get(observation.itemId ?? '');
    return text === undefined || text === observation.text ? [] : [`${observation.itemId}: ${text} became ${observation.text}`];
  });
}

function inputsAreTakenOnce(adapter: Adapter, recording: Recording): readonly string[] {
  const taken = new Set<string>();
  return replay(adapter, recording).flatMap((observation) => {
    if (observation.type !== 'input.taken') return [];
    if (taken.has(observation.inputId)) return [`${observation.inputId} again`];
    taken.add(observation.inputId);
    return [];
  });
}
