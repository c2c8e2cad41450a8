import type { RawImage } from '../../protocol/observation.ts';
import type { Opening, SendIntent, Verdict } from '../adapter.ts';
import type { GateAnswer } from './gate-words.ts';
import { GATE } from './gate-words.ts';
import { answerLine, print, requestLine } from './print.ts';
import type { Errand } from './request-id.ts';
import { idOf } from './request-id.ts';
import { gateOrder, settingLine } from './settings.ts';
import type { State } from './state.ts';

/** The lines for an intent. */
export function encode(intent: SendIntent, state: State): readonly string[] {
  switch (intent.kind) {
    case 'input':
      return inputLines(intent, state);
    case 'interrupt':
      return interruptLines(intent.requestId, state);
    case 'set':
      return [settingLine(intent.commandId, intent, state)];
    case 'rewind':
      throw new Error('Pi cannot put files back; its capabilities say so');
    case 'answer':
      return answerLines(intent);
  }
}

/** That it answers the last line is how Pi is known to be ready; the lists describe the session. */
export const greeting = ({ cwd }: Opening): readonly string[] => [
  requestLine({ id: idOf({ for: 'list' }), type: 'get_commands' }),
  requestLine({ id: idOf({ for: 'list' }), type: 'get_available_models' }),
  requestLine({ id: idOf({ for: 'hello', cwd }), type: 'get_state' }),
];

function inputLines(intent: Extract<SendIntent, { kind: 'input' }>, state: State): readonly string[] {
  const { commandId: inputId, text, images, steer } = intent;
  const errand = steer || images.length > 0 ? undefined : errandOf(text);
  if (errand !== undefined) return errandLines(inputId, errand);
  const id = idOf({ for: 'input', inputId, isSlash: text.startsWith('/') });
  // An agent that is idle begins a turn either way; the word only matters when it works.
  const streamingBehavior = steer ? 'steer' : 'followUp';
  const prompt = requestLine({
    id,
    type: 'prompt',
    message: asSaid(text),
    streamingBehavior,
    ...(images.length > 0 ? { images: images.map(imageBlock) } : {}),
  });
  // Pi's own file has no ids of ours; our extension writes this one into the message. (Pi ends at once when an extension does not load.)
  const isGateMissing = state.gate === null && state.provider !== '';
  return isGateMissing ? [prompt] : [requestLine({ id: idOf({ for: 'aside' }), ...gateOrder(`input ${inputId}`) }), prompt];
}

/** Orders to our extension are ours alone: from a person, who may have no right to switch approvals off, they are words for the model. */
const asSaid = (text: string): string => (new RegExp(`^/${GATE}(:|\\s|$)`).test(text) ? ` ${text}` : text);

const imageBlock = (image: RawImage) => ({ type: 'image', data: image.base64, mimeType: image.mediaType });

/** `!ls`, alone on one line, is the person's own shell line, as in Pi's terminal; what it prints enters the context with the next message. */
function errandOf(text: string): { readonly errand: Errand; readonly argument: string } | undefined {
  const [, command] = /^!\s*([^\s!].*)$/.exec(text.trim()) ?? [];
  if (command !== undefined) return { errand: 'shell', argument: command };
  const compact = /^\/compact(?:\s+([\s\S]*))?$/.exec(text.trim());
  return compact === null ? undefined : { errand: 'compact', argument: compact[1] ?? '' };
}

/** The answer to the first line says that it begins: neither version tells by itself. */
function errandLines(inputId: string, { errand, argument }: { readonly errand: Errand; readonly argument: string }): readonly string[] {
  const end = idOf({ for: 'end', inputId, errand });
  return [
    requestLine({ id: idOf({ for: 'begin', inputId, errand, argument }), type: 'get_state' }),
    errand === 'shell'
      ? requestLine({ id: end, type: 'bash', command: argument })
      : requestLine({ id: end, type: 'compact', ...(argument === '' ? {} : { customInstructions: argument }) }),
  ];
}

/** Pi waits for a dialog to be answered before it obeys (both versions), so open ones are closed with it; the order matters, or the model goes on. */
function interruptLines(requestId: string, state: State): readonly string[] {
  const id = requestId.startsWith('interrupt:') ? requestId : `interrupt:${requestId}`;
  return [
    ...(state.inputs.length > 0 ? [requestLine({ id: idOf({ for: 'clear' }), type: 'clear_queue' })] : []),
    ...(state.errand === null ? [] : [requestLine({ id: idOf({ for: 'aside' }), type: 'abort_bash' })]),
    requestLine({ id, type: 'abort' }),
    ...state.dialogs.map((dialog) => answerLine(dialog, { cancelled: true })),
  ];
}

function answerLines({ agentRequestId, input, verdict }: Extract<SendIntent, { kind: 'answer' }>): readonly string[] {
  const at = agentRequestId.indexOf(':');
  const [method, id] = [agentRequestId.slice(0, Math.max(at, 0)), agentRequestId.slice(at + 1)];
  const stop = verdict.behavior === 'deny' && verdict.interrupt ? [requestLine({ id: `interrupt:${id}`, type: 'abort' })] : [];
  const answer = method === 'gate' || method === '' ? { value: print(gateAnswer(verdict)) } : questionAnswer(method, verdict, input);
  return [...stop, answerLine(id, answer)];
}

function gateAnswer(verdict: Verdict): GateAnswer {
  if (verdict.behavior === 'deny') return { behavior: 'deny', message: verdict.message || 'The person said no.' };
  return verdict.updatedInput === undefined ? { behavior: 'allow' } : { behavior: 'allow', input: verdict.updatedInput };
}

function questionAnswer(method: string, verdict: Verdict, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = verdict.behavior === 'allow' ? (verdict.answers ?? verdict.updatedInput?.answers ?? input.answers) : undefined;
  const [chosen] = typeof given === 'object' && given !== null ? Object.values(given).flat() : [];
  if (typeof chosen !== 'string') return { cancelled: true };
  return method === 'confirm' ? { confirmed: chosen === 'Yes' } : { value: chosen };
}
