import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as acp from '@agentclientprotocol/sdk';
import { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_VERSION as THEIRS } from '@agentclientprotocol/sdk';
import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type { CommandId } from '../../protocol/ids.ts';
import type { SendIntent } from '../port/adapter.ts';
import { encode, handshake } from './encode.ts';
import { initial, type State } from './state.ts';
import { isKnownKind } from './updates.ts';
import * as wire from './wire.ts';

type Read<S extends z.core.$ZodType> = z.input<S>;
type Update<K extends acp.SessionUpdate['sessionUpdate']> = Extract<acp.SessionUpdate, { sessionUpdate: K }>;

test("our schemas accept everything that the protocol's own types allow, as the compiler checks", () => {
  expectTypeOf<acp.InitializeResponse>().toExtend<Read<typeof wire.InitializeResult>>();
  expectTypeOf<acp.NewSessionResponse>().toExtend<Read<typeof wire.SessionResult>>();
  expectTypeOf<acp.LoadSessionResponse>().toExtend<Read<typeof wire.SessionResult>>();
  expectTypeOf<acp.PromptResponse>().toExtend<Read<typeof wire.PromptResult>>();
  expectTypeOf<acp.RequestPermissionRequest>().toExtend<Read<typeof wire.PermissionRequest>>();
  expectTypeOf<acp.SessionNotification>().toExtend<Read<typeof wire.SessionUpdate>>();
  expectTypeOf<acp.SetSessionConfigOptionResponse>().toExtend<Read<typeof wire.ConfigOptions>>();
  expectTypeOf<Update<'agent_message_chunk'>>().toExtend<Read<typeof wire.Chunk>>();
  expectTypeOf<Update<'tool_call'>>().toExtend<Read<typeof wire.ToolCall>>();
  expectTypeOf<Update<'tool_call_update'>>().toExtend<Read<typeof wire.ToolCall>>();
  expectTypeOf<Update<'plan'>>().toExtend<Read<typeof wire.Plan>>();
  expectTypeOf<Update<'usage_update'>>().toExtend<Read<typeof wire.UsageUpdate>>();
  expectTypeOf<Update<'available_commands_update'>>().toExtend<Read<typeof wire.CommandsUpdate>>();
  expectTypeOf<Update<'current_mode_update'>>().toExtend<Read<typeof wire.ModeUpdate>>();
  expectTypeOf<Update<'config_option_update'>>().toExtend<Read<typeof wire.ConfigOptions>>();
  expectTypeOf<Update<'notice'>>().toExtend<Read<typeof wire.Notice>>();
  expectTypeOf<Update<'compaction_update'>>().toExtend<Read<typeof wire.CompactionUpdate>>();
});

const open: State = {
  ...initial(),
  session: { phase: 'open', id: 's' },
  configs: [{ id: 'm', category: 'model', value: 'a', values: ['a', 'b'] }],
  modes: ['plan'],
};
const commandId = 'c' as CommandId;
const intents: readonly SendIntent[] = [
  { kind: 'input', commandId, text: 'hello', images: [{ mediaType: 'image/png', base64: 'AA==' }], steer: false },
  { kind: 'interrupt', requestId: 'i' },
  { kind: 'set', commandId, setting: 'model', value: 'b' },
  { kind: 'set', commandId, setting: 'mode', value: 'plan' },
];

test('every method that we call is in the protocol, except the probe', () => {
  const lines = [...handshake({ cwd: '/p', options: {}, mode: 'new', agentSessionId: 's' }), ...intents.flatMap((intent) => encode(intent, open))];
  const methods = new Set(lines.map((line) => String(JSON.parse(line).method)));
  const known = new Set<string>(Object.values(AGENT_METHODS));
  expect([...methods].filter((method) => !known.has(method))).toEqual(['_signalbox/mark']);
  expect(methods).toContain('session/set_config_option');
});

test('every method that we read is in the protocol', () => {
  const known = Object.values(CLIENT_METHODS) as readonly string[];
  expect(known).toEqual(expect.arrayContaining(['session/update', 'session/request_permission']));
});

test('every kind of update in the protocol is known, and the version is the same', () => {
  const schema: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../node_modules/@agentclientprotocol/sdk/schema/v1/schema.json'), 'utf8'));
  const kinds = (schema as { $defs: { SessionUpdate: { oneOf: { properties: { sessionUpdate: { const: string } } }[] } } }).$defs.SessionUpdate.oneOf;
  const names = kinds.map((kind) => kind.properties.sessionUpdate.const);
  expect(names.filter((name) => !isKnownKind(name))).toEqual([]);
  expect(isKnownKind('unknown_kind')).toBe(false);
  expect(wire.PROTOCOL_VERSION).toBe(THEIRS);
});
