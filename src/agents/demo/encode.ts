import type { SendIntent } from '../port/adapter.ts';
import type { DemoRequest } from './program/wire.ts';

export const encode = (intent: SendIntent): readonly string[] => [JSON.stringify(requestOf(intent))];

function requestOf(intent: SendIntent): DemoRequest {
  switch (intent.kind) {
    case 'input':
      return { type: 'input', id: intent.commandId, text: intent.text, images: intent.images, steer: intent.steer };
    case 'interrupt':
      return { type: 'interrupt', request: intent.requestId };
    case 'set':
      return { type: 'set', command: intent.commandId, setting: intent.setting, value: intent.value };
    case 'rewind':
      throw new Error('The demo agent cannot restore files; its capabilities say so');
    case 'tool-answer':
      return { type: 'answer', request: intent.agentRequestId, behavior: 'allow', input: { text: intent.text, isError: intent.isError }, grants: [] };
    case 'answer':
      return answer(intent);
  }
}

function answer({ agentRequestId, input, verdict }: Extract<SendIntent, { kind: 'answer' }>): DemoRequest {
  const shared = { type: 'answer', request: agentRequestId } as const;
  if (verdict.behavior === 'deny') return { ...shared, behavior: 'deny', message: verdict.message, interrupt: verdict.interrupt };
  return {
    ...shared,
    behavior: 'allow',
    input: { ...(verdict.updatedInput ?? input), ...(verdict.answers === undefined ? {} : { answers: verdict.answers }) },
    grants: verdict.granted?.suggestions ?? [],
    ...(verdict.mode === undefined ? {} : { mode: verdict.mode }),
  };
}
