import { expect, test } from 'vitest';
import type { Setting } from '../../../protocol/event.ts';
import type { CommandId } from '../../../protocol/ids.ts';
import type { Observation } from '../../../protocol/observation.ts';
import { translate } from '../translate.ts';
import { encode, handshake } from './encode.ts';
import { initial, type State } from './state.ts';

const C1 = 'c1' as CommandId;
const MODELS = [
  { value: 'default', resolvedModel: 'claude-big', supportsThinkingOff: false },
  { value: 'sonnet', resolvedModel: 'claude-sonnet-5', displayName: 'Sonnet' },
];

/** A session after the handshake, in its first turn. */
const started = afterLines(initial(), [
  { type: 'control_response', response: { subtype: 'success', request_id: 'init:1', response: { commands: [], models: MODELS } } },
  { type: 'system', subtype: 'init', session_id: 's', cwd: '/p', model: 'claude-big', permissionMode: 'default', tools: [], mcp_servers: [] },
]).state;

const settings: readonly (readonly [string, Setting, object, readonly object[]])[] = [
  [
    'a model is reported with its full name when the CLI returns it',
    { setting: 'model', value: 'sonnet' },
    { subtype: 'success', response: { model: 'claude-sonnet-5-5' } },
    [{ type: 'model.changed', model: 'claude-sonnet-5-5' }],
  ],
  [
    'a model is reported with its name from the handshake when the CLI returns none',
    { setting: 'model', value: 'sonnet' },
    { subtype: 'success' },
    [{ type: 'model.changed', model: 'claude-sonnet-5' }],
  ],
  ['an unknown model is reported as requested', { setting: 'model', value: 'x' }, { subtype: 'success' }, [{ type: 'model.changed', model: 'x' }]],
  [
    'a confirmed mode is reported',
    { setting: 'mode', value: 'plan' },
    { subtype: 'success', response: { mode: 'plan' } },
    [{ type: 'mode.changed', mode: 'plan' }],
  ],
  [
    "a refusal is reported in the CLI's own words",
    { setting: 'mode', value: 'auto' },
    { subtype: 'error', error: 'auto mode unavailable for this model' },
    [{ type: 'setting.refused', commandId: 'c1', setting: 'mode', value: 'auto', reason: 'auto mode unavailable for this model' }],
  ],
  ['a confirmed thinking level is reported', { setting: 'thinking', value: 'high' }, { subtype: 'success' }, [{ type: 'thinking.changed', thinking: 'high' }]],
  [
    'off becomes the lowest level for a model that always thinks, although the CLI accepts off',
    { setting: 'thinking', value: 'off' },
    { subtype: 'success' },
    [
      { type: 'setting.refused', commandId: 'c1', setting: 'thinking', value: 'off', reason: expect.stringContaining('always thinks') },
      { type: 'thinking.changed', thinking: 'low' },
    ],
  ],
];
for (const [title, setting, answer, observed] of settings) {
  test(title, () => expect(answered(started, encode({ kind: 'set', commandId: C1, ...setting }, started).at(-1), answer).observations).toMatchObject(observed));
}

test('a mode is reported once, although the CLI prints it again, and the next turn reports no change', () => {
  const after = answered(started, encode({ kind: 'set', commandId: C1, setting: 'mode', value: 'plan' }, started)[0], {
    subtype: 'success',
    response: { mode: 'plan' },
  });
  const more = afterLines(after.state, [{ type: 'system', subtype: 'status', status: null, permissionMode: 'plan' }]);
  expect(more.observations).toEqual([]);
});

test('a mode is reported once before the first turn, too', () => {
  const after = answered(initial(), encode({ kind: 'set', commandId: C1, setting: 'mode', value: 'plan' }, initial())[0], {
    subtype: 'success',
    response: { mode: 'plan' },
  });
  expect(after.observations).toHaveLength(1);
  expect(afterLines(after.state, [{ type: 'system', subtype: 'status', status: null, permissionMode: 'plan' }]).observations).toEqual([]);
});

test('a thinking level is sent as a budget and as an effort; the last answer confirms it', () => {
  const lines = encode({ kind: 'set', commandId: C1, setting: 'thinking', value: 'medium' }, started);
  expect(lines.map((line) => JSON.parse(line).request)).toEqual([
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 10_000 },
    { subtype: 'apply_flag_settings', settings: { effortLevel: 'medium' } },
  ]);
  expect(answered(started, lines[0], { subtype: 'success' }).observations).toEqual([]);
  expect(answered(started, lines[0], { subtype: 'error', error: 'no' }).observations).toMatchObject([{ type: 'setting.refused', reason: 'no' }]);
});

test('a process gets the thinking level at its start, and confirms it without a refusal', () => {
  const before = { ...started, session: null };
  const lines = handshake({ options: { thinking: 'off' } });
  expect(lines).toHaveLength(3);
  expect(answered(before, lines[2], { subtype: 'success' }).observations).toMatchObject([{ type: 'thinking.changed', thinking: 'low' }]);
  const sonnet = handshake({ options: { thinking: 'off', model: 'sonnet' } });
  expect(answered(before, sonnet[2], { subtype: 'success' }).observations).toMatchObject([{ type: 'thinking.changed', thinking: 'off' }]);
});

test('a dry run lists the files that would change', () => {
  const [line] = encode({ kind: 'rewind', commandId: C1, messageId: 'u', dryRun: true }, started);
  expect(JSON.parse(line ?? '').request).toEqual({ subtype: 'rewind_files', user_message_id: 'u', dry_run: true });
  const response = { canRewind: true, filesChanged: ['/p/a'], insertions: 1, deletions: 2 };
  expect(answered(started, line, { subtype: 'success', response }).observations).toEqual([
    { type: 'files.rewound', commandId: C1, dryRun: true, canRewind: true, files: ['/p/a'], insertions: 1, deletions: 2 },
  ]);
});

test('a real rewind lists the files from its own dry run, because its answer lists none', () => {
  const [list, real] = encode({ kind: 'rewind', commandId: C1, messageId: 'u', dryRun: false }, started);
  const listed = answered(started, list, { subtype: 'success', response: { canRewind: true, filesChanged: ['/p/a'], insertions: 0, deletions: 1 } });
  expect(listed.observations).toEqual([]);
  const done = answered(listed.state, real, { subtype: 'success', response: { canRewind: true } });
  expect(done.observations).toEqual([{ type: 'files.rewound', commandId: C1, dryRun: false, canRewind: true, files: ['/p/a'], insertions: 0, deletions: 1 }]);
  expect(done.state).toEqual(started);
});

const problems: readonly (readonly [string, object, string])[] = [
  [
    'no checkpoint',
    { subtype: 'success', response: { canRewind: false, error: 'No file checkpoint found for this message.' } },
    'No file checkpoint found for this message.',
  ],
  ['an error', { subtype: 'error', error: 'Unsupported' }, 'Unsupported'],
];
for (const [title, answer, problem] of problems) {
  test(`a failed rewind says why: ${title}`, () => {
    const line = encode({ kind: 'rewind', commandId: C1, messageId: 'u', dryRun: true }, started)[0];
    expect(answered(started, line, answer).observations).toEqual([
      { type: 'files.rewound', commandId: C1, dryRun: true, canRewind: false, files: [], problem },
    ]);
  });
}

test('an answer to an id that is not ours is a plain reply', () => {
  const strange = [JSON.stringify({ request_id: 'set:{}' }), JSON.stringify({ request_id: 'rewind:[1]' })];
  for (const line of strange) expect(answered(started, line, { subtype: 'success' }).observations).toMatchObject([{ type: 'reply', ok: true }]);
});

function answered(state: State, request: string | undefined, response: object) {
  const { request_id } = JSON.parse(request ?? '{}');
  return afterLines(state, [{ type: 'control_response', response: { request_id, ...response } }]);
}

function afterLines(state: State, lines: readonly object[]): { readonly state: State; readonly observations: readonly Observation[] } {
  let now: { readonly state: State; readonly observations: readonly Observation[] } = { state, observations: [] };
  for (const line of lines) now = translate(now.state, JSON.stringify(line));
  return now;
}
