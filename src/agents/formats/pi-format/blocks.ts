import type { KeptObservation } from '../../../protocol/observation.ts';
import { itemOf } from '../item-id.ts';
import { unrecognized } from '../unrecognized.ts';
import { stampOf } from './content.ts';
import { isTextBlock, isThinkingBlock, isToolCallBlock, type PiAssistantMessage } from './message.ts';

interface Place {
  /** The id of the message. */
  readonly id: string;
  /** The agent's own id of the line, if any. */
  readonly uuid?: string;
}

/** Observations from the blocks of an answer. */
export function blocksOf(message: PiAssistantMessage, { id, uuid }: Place): readonly KeptObservation[] {
  // The tool calls of an aborted or failed answer are not run.
  const isCut = message.stopReason === 'aborted' || message.stopReason === 'error';
  const line = { ...(uuid === undefined ? {} : { uuid }), ...stampOf(message.timestamp) };
  return message.content.flatMap((block, index) => blockEnded(message, block, { itemId: itemOf(`${id}:${index}`), messageId: id, index, ...line }, isCut));
}

type Where = Pick<Extract<KeptObservation, { type: 'assistant.thinking' }>, 'messageId' | 'index' | 'itemId' | 'uuid' | 'agentAt'>;

function blockEnded(message: PiAssistantMessage, block: { readonly type: string }, where: Where, isCut: boolean): readonly KeptObservation[] {
  switch (block.type) {
    case 'text':
      return textEnded(message, block, where) ?? strange(block);
    case 'thinking':
      return thinkingEnded(block, where) ?? strange(block);
    case 'toolCall':
      return callEnded(block, where, isCut) ?? strange(block);
    default:
      return strange(block);
  }
}

function textEnded(message: PiAssistantMessage, block: object, where: Where): readonly KeptObservation[] | undefined {
  if (!isTextBlock(block)) return undefined;
  return block.text === '' ? [] : [{ type: 'assistant.text', ...where, text: block.text, ...modelOf(message), ...cut(message) }];
}

function thinkingEnded(block: object, where: Where): readonly KeptObservation[] | undefined {
  return isThinkingBlock(block) ? [{ type: 'assistant.thinking', ...where, text: block.thinking }] : undefined;
}

function callEnded(block: object, where: Where, isCut: boolean): readonly KeptObservation[] | undefined {
  if (!isToolCallBlock(block)) return undefined;
  const { id: toolUseId, name, arguments: input } = block;
  return isCut ? [] : [{ type: 'tool.started', ...where, itemId: itemOf(toolUseId), toolUseId, name, input }];
}

const strange = (block: object): readonly KeptObservation[] => [unrecognized(JSON.stringify(block), 'a block of an unknown kind in an assistant message')];

export const modelOf = ({ provider, model }: { readonly provider?: string | undefined; readonly model?: string | undefined }): { readonly model?: string } =>
  model === undefined ? {} : { model: provider === undefined ? model : `${provider}/${model}` };

const cut = ({ stopReason }: PiAssistantMessage) => (stopReason === 'aborted' ? { interrupted: true } : {});
