import type { SendIntent } from '../adapter.ts';
import type { DemoOrder } from './wire.ts';

export const encode = (intent: SendIntent): readonly string[] => [JSON.stringify(orderOf(intent))];

function orderOf(intent: SendIntent): DemoOrder {
  switch (intent.kind) {
    case 'input':
      return { type: 'input', id: intent.commandId, text: intent.text };
    case 'interrupt':
      return { type: 'interrupt', request: intent.requestId };
    case 'set':
    case 'rewind':
      throw new Error(`The demo agent cannot ${intent.kind}; its capabilities say so`);
    case 'answer':
      return answer(intent);
  }
}

function answer({ agentRequestId, input, verdict }: Extract<SendIntent, { kind: 'answer' }>): DemoOrder {
  if (verdict.behavior === 'allow') return { type: 'answer', request: agentRequestId, behavior: 'allow', input: verdict.updatedInput ?? input };
  return { type: 'answer', request: agentRequestId, behavior: 'deny', message: verdict.message, interrupt: verdict.interrupt };
}
