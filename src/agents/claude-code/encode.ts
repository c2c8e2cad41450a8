import { createHash } from 'node:crypto';
import type { CommandId } from '../../protocol/ids.ts';
import type { RawImage } from '../../protocol/observation.ts';
import type { Opening, SendIntent, Verdict } from '../adapter.ts';
import { launchRequests, type Request, rewindRequests, settingRequests } from './settings.ts';
import type { State } from './state.ts';
import { without } from './state.ts';

/** The lines for an intent. Invalid JSON, or a user line without `message`, ends the CLI (2.1.197): all are made here, by one printer. */
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
    case 'answer':
      return [responseLine({ subtype: 'success', request_id: intent.agentRequestId, response: answerOf(intent.verdict, unchangedInput(intent, state)) })];
  }
}

/** The handshake: its answer means that the CLI is ready, and lists its models and commands. How much to think is told here, and so confirmed, in every life. */
export const greeting = ({ options }: Pick<Opening, 'options'>): readonly string[] => [
  requestLine('init:1', { subtype: 'initialize' }),
  ...(options.thinking === undefined ? [] : launchRequests(options.thinking, options.model).map(lineOf)),
];

/** An answer to a request that we do not serve. */
export const refusalOf = (requestId: string, error: string): string => responseLine({ subtype: 'error', request_id: requestId, error });

/**
 * The CLI takes any string as a uuid and never runs the same one twice. Command ids that are UUIDs are used as they stand;
 * of others a UUID (version 8) is made, always the same one.
 */
export function inputId(commandId: CommandId): string {
  if (UUID.test(commandId)) return commandId;
  const hash = createHash('sha256').update(commandId).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The reply bears the same id, so that after a restart it still says what it answers. */
const interruptId = (requestId: string): string => (requestId.startsWith('interrupt:') ? requestId : `interrupt:${requestId}`);

function inputLine({ commandId, text, images, steer }: Extract<SendIntent, { kind: 'input' }>): string {
  return print({
    type: 'user',
    message: { role: 'user', content: images.length === 0 ? text : [...images.map(imageBlock), ...textBlocks(text)] },
    parent_tool_use_id: null,
    uuid: inputId(commandId),
    // `next` is folded into the running turn after its tool; `later` gets a turn of its own, even if the CLI has just begun one by itself.
    // (`now` would abort text in mid-word, and in 2.1.325 the running command too.)
    priority: steer ? 'next' : 'later',
  });
}

const imageBlock = (image: RawImage) => ({ type: 'image', source: { type: 'base64', media_type: image.mediaType, data: image.base64 } });
const textBlocks = (text: string) => (text === '' ? [] : [{ type: 'text', text }]);

/** A plan that comes back is taken for an edited one (2.1.197), so an unchanged plan is left out. */
function unchangedInput({ agentRequestId, input }: Extract<SendIntent, { kind: 'answer' }>, state: State): Readonly<Record<string, unknown>> {
  return state.plans.includes(agentRequestId) ? without(input, 'plan') : input;
}

type Allowed = Extract<Verdict, { behavior: 'allow' }>;

/** 2.1.197 counts an allow without `updatedInput`, and a deny without `message`, as a failed request. */
function answerOf(verdict: Verdict, input: Readonly<Record<string, unknown>>) {
  if (verdict.behavior === 'deny') {
    return { behavior: 'deny', message: verdict.message || 'The person said no.', ...(verdict.interrupt ? { interrupt: true } : {}) };
  }
  const changed = verdict.updatedInput ?? input;
  const updates = permissionUpdates(verdict);
  return {
    behavior: 'allow',
    updatedInput: verdict.answers === undefined ? changed : { ...changed, answers: joined(verdict.answers) },
    ...(updates.length > 0 ? { updatedPermissions: updates } : {}),
  };
}

/** The CLI takes one string a question; several choices are joined as its own form joins them. */
const joined = (answers: NonNullable<Allowed['answers']>) =>
  Object.fromEntries(Object.entries(answers).map(([question, chosen]) => [question, typeof chosen === 'string' ? chosen : chosen.join(', ')]));

/** Suggestions go back as they came, or with their reach cut down to the session; a plan's mode is one more of them. */
function permissionUpdates({ granted, mode }: Allowed): readonly object[] {
  const kept = granted?.suggestions.map((suggestion) => (granted.forSession ? { ...suggestion, destination: 'session' } : suggestion)) ?? [];
  return mode === undefined ? kept : [...kept, { type: 'setMode', mode, destination: 'session' }];
}

const lineOf = ({ id, request }: Request): string => requestLine(id, request);
const requestLine = (requestId: string, request: object): string => print({ type: 'control_request', request_id: requestId, request });
const responseLine = (response: object): string => print({ type: 'control_response', response });

/** One line of JSON, whatever a person pasted: newlines are escaped, and half a surrogate pair, which the API refuses, becomes U+FFFD. */
const print = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part));
