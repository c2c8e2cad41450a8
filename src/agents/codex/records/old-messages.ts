import { text } from '../../formats/shape.ts';
import { imageIn } from './content.ts';
import { observeText, observeThinking, observeUser } from './items.ts';
import type { Line } from './line.ts';
import type { Reader } from './line-result.ts';

/** How versions before the items wrote messages. Described for 0.46 to 0.65, never seen: untested with real files. */

export const oldUserMessage: Reader = (line) => {
  const { message, images } = line.payload;
  if (!text(message)) return undefined;
  const id = idOf(line, 'user');
  return observeUser(line, { item: id, uuid: id }, message, Array.isArray(images) ? images.flatMap((image: unknown) => imageIn(image) ?? []) : []);
};

export const oldAgentMessage: Reader = (line, { facts }) =>
  text(line.payload.message) ? { observations: observeText(line, idOf(line, 'text'), line.payload.message, facts?.model) } : undefined;

export const oldReasoning: Reader = (line) =>
  text(line.payload.text) ? { observations: observeThinking(line, idOf(line, 'thinking'), line.payload.text) } : undefined;

/** They have no ids, so we use their time. */
const idOf = ({ timestamp, ordinal }: Line, kind: string): string => `${kind}:${timestamp ?? ordinal ?? ''}`;
