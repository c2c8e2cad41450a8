import type { KeptObservation, RawImage } from '../../../protocol/observation.ts';
import { itemOf } from '../../formats/item-id.ts';
import { isObject, type Loose, text } from '../../formats/shape.ts';
import { contentOf } from './content.ts';
import { changesOf } from './file-change.ts';
import type { Line } from './line.ts';
import { agentAt, NOTHING, type Reader, type Told } from './line-result.ts';

type Item = Loose<{ readonly id: string }>;

/** What was said, thought and done, as Codex shows it to people. */
export const itemTold: Reader = (line, { facts }) => {
  const { item } = line.payload;
  if (!isObject(item) || !text(item.id) || !text(item.type)) return undefined;
  return Object.hasOwn(ITEMS, item.type) ? ITEMS[item.type]?.(line, { ...item, id: item.id }, facts?.model) : undefined;
};

const ITEMS: Readonly<Record<string, (line: Line, item: Item, model: string | undefined) => Told | undefined>> = {
  // Whoever gave it an id of his own speaks of it by that.
  UserMessage: (line, { id, client_id, content }) => {
    const { text: words, images } = contentOf(content);
    return userTold(line, text(client_id) ? { item: client_id, uuid: id } : { item: id, uuid: id }, words, images);
  },
  AgentMessage: (line, { id, content }, model) => ({ observations: textTold(line, id, contentOf(content).text, model) }),
  Reasoning: (line, { id, summary_text, raw_content }) => ({
    observations: thinkingTold(line, id, contentOf([...lines(summary_text), ...lines(raw_content)]).text),
  }),
  CommandExecution: commandTold,
  FileChange: (line, item) => ({ observations: changesOf(item, agentAt(line)) }),
  // Told with the summary that was made.
  ContextCompaction: () => NOTHING,
};

const lines = (value: unknown): readonly { readonly text: string }[] => (Array.isArray(value) ? value.filter(text).map((one) => ({ text: one })) : []);

const TITLE_CHARS = 200;

export function userTold(line: Line, { item, uuid }: { readonly item: string; readonly uuid: string }, words: string, images: readonly RawImage[]): Told {
  if (words === '' && images.length === 0) return NOTHING;
  const rawImages = images.length > 0 ? { rawImages: images } : {};
  const said: KeptObservation = { type: 'user.message', itemId: itemOf(item), uuid, text: words, origin: 'elsewhere', ...rawImages, ...agentAt(line) };
  return { observations: [said], ...(words === '' ? {} : { facts: { title: words.slice(0, TITLE_CHARS) } }) };
}

export const textTold = (line: Line, id: string, words: string, model: string | undefined): readonly KeptObservation[] =>
  words === ''
    ? []
    : [{ type: 'assistant.text', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text: words, ...(model && { model }), ...agentAt(line) }];

export const thinkingTold = (line: Line, id: string, words: string): readonly KeptObservation[] =>
  words === '' ? [] : [{ type: 'assistant.thinking', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text: words, ...agentAt(line) }];

/** The call was told before; but a person's own shell line has none. */
function commandTold(line: Line, { id, command, aggregated_output, exit_code, status, source }: Item): Told {
  const words = Array.isArray(command) ? command.filter(text) : [];
  const started = { type: 'tool.started', itemId: itemOf(id), toolUseId: id, name: 'shell', input: { command: words.at(-1) ?? '' }, ...agentAt(line) } as const;
  const completed = {
    type: 'tool.completed',
    itemId: itemOf(`${id}:result`),
    parentItemId: itemOf(id),
    toolUseId: id,
    output: text(aggregated_output) ? aggregated_output : '',
    isError: (typeof exit_code === 'number' && exit_code !== 0) || status === 'failed' || status === 'declined',
    ...agentAt(line),
  } as const;
  return { observations: source === 'user_shell' ? [started, completed] : [completed] };
}
