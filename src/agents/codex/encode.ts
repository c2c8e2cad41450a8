import { requestLine } from '../formats/json-rpc.ts';
import { levelOf } from '../formats/thinking.ts';
import type { SendIntent } from '../port/adapter.ts';
import { answerLines, toolAnswerLine } from './approval-answer.ts';
import { interruptLine } from './interrupt.ts';
import { isKnown, turnPolicyOf } from './modes.ts';
import { idOf } from './request-id.ts';
import type { State } from './state.ts';

/** The lines for an intent. */
export function encode(intent: SendIntent, state: State): readonly string[] {
  switch (intent.kind) {
    case 'input':
      return [inputLine(intent, state)];
    case 'interrupt':
      return [interruptLine(state, intent.requestId, state.turnId ?? '')];
    case 'set':
      return [requestLine(idOf({ for: 'set', commandId: intent.commandId, ...settingOf(intent) }), 'thread/loaded/list', {})];
    case 'rewind':
      throw new Error('Codex cannot restore files; its capabilities say so');
    case 'tool-answer':
      return [toolAnswerLine(intent)];
    case 'answer':
      return answerLines(intent);
  }
}

const settingOf = ({ setting, value }: Extract<SendIntent, { kind: 'set' }>) => ({ setting, value });

/**
 * While a turn runs, the same request steers it (seen with 0.166.0, and stated in its types). `turn/steer` would have to name the turn, and a
 * message that arrives a moment too late would be refused.
 */
function inputLine({ commandId: inputId, text, images, steer }: Extract<SendIntent, { kind: 'input' }>, state: State): string {
  const threadId = state.threadId ?? '';
  if (!steer && images.length === 0 && text.trim() === '/compact') return requestLine(idOf({ for: 'compact', inputId }), 'thread/compact/start', { threadId });
  return requestLine(idOf({ for: 'input', inputId }), 'turn/start', {
    threadId,
    clientUserMessageId: inputId,
    input: [
      ...(text === '' ? [] : [{ type: 'text', text, text_elements: [] }]),
      ...images.map(({ mediaType, base64 }) => ({ type: 'image', url: `data:${mediaType};base64,${base64}` })),
    ],
    ...chosenSettings(state),
  });
}

function chosenSettings(state: State): object {
  const { model, thinking, mode } = state.wishes;
  return {
    ...(model === undefined ? {} : { model }),
    ...(thinking === undefined ? {} : { effort: levelOf(thinking) }),
    ...(isKnown(mode) ? turnPolicyOf(mode, state) : {}),
  };
}
