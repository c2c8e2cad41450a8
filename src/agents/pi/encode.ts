import type { RawImage } from '../../protocol/observation.ts';
import { jsonLine } from '../formats/json-object.ts';
import type { SendIntent, SessionStart, Verdict } from '../port/adapter.ts';
import type { GateAnswer } from './extension-protocol.ts';
import { GATE } from './extension-protocol.ts';
import type { DirectCommand } from './request-id.ts';
import { idOf } from './request-id.ts';
import { answerLine, requestLine } from './request-lines.ts';
import { gateCommand, settingLine } from './settings.ts';
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
      throw new Error('Pi cannot restore files; its capabilities say so');
    case 'tool-answer':
      return [answerLine(intent.agentRequestId, { value: jsonLine({ text: intent.text, isError: intent.isError }) })];
    case 'answer':
      return answerLines(intent);
  }
}

/** Pi is ready when it answers the last line; the lists describe the session. */
export const handshake = ({ cwd }: SessionStart): readonly string[] => [
  requestLine({ id: idOf({ for: 'list' }), type: 'get_commands' }),
  requestLine({ id: idOf({ for: 'list' }), type: 'get_available_models' }),
  requestLine({ id: idOf({ for: 'hello', cwd }), type: 'get_state' }),
];

function inputLines(intent: Extract<SendIntent, { kind: 'input' }>, state: State): readonly string[] {
  const { commandId: inputId, text, images, steer } = intent;
  const directCommand = steer || images.length > 0 ? undefined : directCommandIn(text);
  if (directCommand !== undefined) return directCommandLines(inputId, directCommand);
  const id = idOf({ for: 'input', inputId, isSlash: text.startsWith('/') });
  // An idle agent starts a turn either way; the value only matters during a turn.
  const streamingBehavior = steer ? 'steer' : 'followUp';
  const prompt = requestLine({
    id,
    type: 'prompt',
    message: asMessage(text),
    streamingBehavior,
    ...(images.length > 0 ? { images: images.map(imageBlock) } : {}),
  });
  // Pi's own file has none of our ids; our extension writes this one into the message. (Pi exits when an extension doesn't load.)
  const isGateMissing = state.gate === null && state.provider !== '';
  return isGateMissing ? [prompt] : [requestLine({ id: idOf({ for: 'aside' }), ...gateCommand(`input ${inputId}`) }), prompt];
}

/** Only Signalbox may send commands to our extension. From a person, who may not be allowed to turn approvals off, they go to the model as text. */
const asMessage = (text: string): string => (new RegExp(`^/${GATE}(:|\\s|$)`).test(text) ? ` ${text}` : text);

const imageBlock = (image: RawImage) => ({ type: 'image', data: image.base64, mimeType: image.mediaType });

/** `!ls`, alone on one line, is a shell command, as in Pi's terminal; its output enters the context with the next message. */
function directCommandIn(text: string): { readonly errand: DirectCommand; readonly argument: string } | undefined {
  const [, command] = /^!\s*([^\s!].*)$/.exec(text.trim()) ?? [];
  if (command !== undefined) return { errand: 'shell', argument: command };
  const compact = /^\/compact(?:\s+([\s\S]*))?$/.exec(text.trim());
  return compact === null ? undefined : { errand: 'compact', argument: compact[1] ?? '' };
}

/** The answer to the first line marks the start: neither version reports it otherwise. */
function directCommandLines(inputId: string, { errand, argument }: { readonly errand: DirectCommand; readonly argument: string }): readonly string[] {
  const end = idOf({ for: 'end', inputId, errand });
  return [
    requestLine({ id: idOf({ for: 'begin', inputId, errand, argument }), type: 'get_state' }),
    errand === 'shell'
      ? requestLine({ id: end, type: 'bash', command: argument })
      : requestLine({ id: end, type: 'compact', ...(argument === '' ? {} : { customInstructions: argument }) }),
  ];
}

/** Pi acts on an abort only after open dialogs are answered (both versions), so we close them too, after the abort; otherwise the model continues. */
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
  const answer = method === 'gate' || method === '' ? { value: jsonLine(gateAnswer(verdict)) } : questionAnswer(method, verdict, input);
  return [...stop, answerLine(id, answer)];
}

function gateAnswer(verdict: Verdict): GateAnswer {
  if (verdict.behavior === 'deny') return { behavior: 'deny', message: verdict.message || 'Denied by the user.' };
  return verdict.updatedInput === undefined ? { behavior: 'allow' } : { behavior: 'allow', input: verdict.updatedInput };
}

function questionAnswer(method: string, verdict: Verdict, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = verdict.behavior === 'allow' ? (verdict.answers ?? verdict.updatedInput?.answers ?? input.answers) : undefined;
  const [chosen] = typeof given === 'object' && given !== null ? Object.values(given).flat() : [];
  if (typeof chosen !== 'string') return { cancelled: true };
  return method === 'confirm' ? { confirmed: chosen === 'Yes' } : { value: chosen };
}
