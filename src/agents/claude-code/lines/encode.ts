import { createHash } from 'node:crypto';
import type { CommandId } from '../../../protocol/ids.ts';
import type { RawImage } from '../../../protocol/observation.ts';
import { withoutKey } from '../../formats/fold.ts';
import { jsonLine } from '../../formats/json-object.ts';
import type { SendIntent, SessionStart, Verdict } from '../../port/adapter.ts';
import { launchRequests, type Request, rewindRequests, settingRequests } from './settings.ts';
import type { State } from './state.ts';
import { toolAnswerLine } from './tools.ts';

/** The lines for an intent. Invalid JSON, or a user line without `message`, ends the CLI (2.1.197), so all lines are made here. */
export function encode(intent: SendIntent, state: State): readonly string[] {
  switch (intent.kind) {
    case 'input':
      return [inputLine(intent)];
    case 'interrupt':
      return [requestLine(interruptId(intent.requestId), { subtype: 'interrupt' })];
    case 'set':
      return settingRequests(intent.commandId, intent).map(lineOf);
    case 'rewind':
      return rewindRequests(intent.commandId, intent.messageId, intent.dryRun).map(lineOf);
    case 'tool-answer':
      return [toolAnswerLine(intent.agentRequestId, intent.text, intent.isError)];
    case 'answer':
      return [responseLine({ subtype: 'success', request_id: intent.agentRequestId, response: answerLine(intent, state) })];
  }
}

/** The answer means that the CLI is ready, and lists its models and commands. The thinking level is set here, so every process confirms it. */
export const handshake = ({ options, toolServer }: Pick<SessionStart, 'options' | 'toolServer'>): readonly string[] => [
  requestLine('init:1', { subtype: 'initialize', ...(toolServer === undefined ? {} : { sdkMcpServers: [toolServer] }) }),
  ...(options.thinking === undefined ? [] : launchRequests(options.thinking, options.model).map(lineOf)),
];

/** The answer to a request that we don't support. */
export const refusalOf = (requestId: string, error: string): string => responseLine({ subtype: 'error', request_id: requestId, error });

/**
 * The CLI accepts any string as a uuid and never runs the same one twice. Command ids that are UUIDs are used unchanged;
 * others are hashed to a UUID (version 8), always the same one.
 */
export function inputId(commandId: CommandId): string {
  if (UUID.test(commandId)) return commandId;
  const hash = createHash('sha256').update(commandId).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The reply carries the same id, so after a restart it still says what it answers. */
const interruptId = (requestId: string): string => (requestId.startsWith('interrupt:') ? requestId : `interrupt:${requestId}`);

function inputLine({ commandId, text, images, steer }: Extract<SendIntent, { kind: 'input' }>): string {
  return jsonLine({
    type: 'user',
    message: { role: 'user', content: images.length === 0 ? text : [...images.map(imageBlock), ...textBlocks(text)] },
    parent_tool_use_id: null,
    uuid: inputId(commandId),
    // `next` joins the running turn after its tool; `later` gets its own turn, even if the CLI has just started one by itself.
    // (`now` would abort text mid-word, and in 2.1.325 the running command too.)
    priority: steer ? 'next' : 'later',
  });
}

const imageBlock = (image: RawImage) => ({ type: 'image', source: { type: 'base64', media_type: image.mediaType, data: image.base64 } });
const textBlocks = (text: string) => (text === '' ? [] : [{ type: 'text', text }]);

/** The CLI treats a returned plan as edited (2.1.197), so an unchanged plan is left out. */
function unchangedInput({ agentRequestId, input }: Extract<SendIntent, { kind: 'answer' }>, state: State): Readonly<Record<string, unknown>> {
  return state.plans.includes(agentRequestId) ? withoutKey(input, 'plan') : input;
}

/** A dialog that we can't display can only be dismissed. */
const answerLine = (intent: Extract<SendIntent, { kind: 'answer' }>, state: State): object =>
  state.dialogs.includes(intent.agentRequestId) ? { behavior: 'cancelled' } : answerOf(intent.verdict, unchangedInput(intent, state));

type Allowed = Extract<Verdict, { behavior: 'allow' }>;

/** 2.1.197 treats an allow without `updatedInput`, and a deny without `message`, as a failed request. */
export function answerOf(verdict: Verdict, input: Readonly<Record<string, unknown>>) {
  if (verdict.behavior === 'deny') {
    return { behavior: 'deny', message: verdict.message || 'Denied by the user.', ...(verdict.interrupt ? { interrupt: true } : {}) };
  }
  const changed = verdict.updatedInput ?? input;
  const updates = permissionUpdates(verdict);
  return {
    behavior: 'allow',
    updatedInput: verdict.answers === undefined ? changed : { ...changed, answers: joined(verdict.answers) },
    ...(updates.length > 0 ? { updatedPermissions: updates } : {}),
  };
}

/** The CLI takes one string per question; several choices are joined the way its own form does it. */
const joined = (answers: NonNullable<Allowed['answers']>) =>
  Object.fromEntries(Object.entries(answers).map(([question, chosen]) => [question, typeof chosen === 'string' ? chosen : chosen.join(', ')]));

/** Suggestions go back unchanged, or limited to the session; a plan's mode is one more of them. */
function permissionUpdates({ granted, mode }: Allowed): readonly object[] {
  const kept = granted?.suggestions.map((suggestion) => (granted.forSession ? { ...suggestion, destination: 'session' } : suggestion)) ?? [];
  return mode === undefined ? kept : [...kept, { type: 'setMode', mode, destination: 'session' }];
}

const lineOf = ({ id, request }: Request): string => requestLine(id, request);
const requestLine = (requestId: string, request: object): string => jsonLine({ type: 'control_request', request_id: requestId, request });
const responseLine = (response: object): string => jsonLine({ type: 'control_response', response });
