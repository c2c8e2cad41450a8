import type { KeptObservation, RawImage } from '../../../protocol/observation.ts';
import { itemOf, resultOf } from '../../formats/item-id.ts';
import { isObject, type Loose, text } from '../../formats/shape.ts';
import { contentOf } from './content.ts';
import { changesOf } from './file-change.ts';
import type { Line } from './line.ts';
import { agentAt, type LineResult, NOTHING, type Reader } from './line-result.ts';

type Item = Loose<{ readonly id: string }>;

/** Messages, thinking and actions, as Codex shows them to people. */
export const observeItem: Reader = (line, { facts }) => {
  const { item } = line.payload;
  if (!isObject(item) || !text(item.id) || !text(item.type)) return undefined;
  return Object.hasOwn(ITEMS, item.type) ? ITEMS[item.type]?.(line, { ...item, id: item.id }, facts?.model) : undefined;
};

const ITEMS: Readonly<Record<string, (line: Line, item: Item, model: string | undefined) => LineResult | undefined>> = {
  // A client that sent its own id with the message uses that id from then on.
  UserMessage: (line, { id, client_id, content }) => {
    const { text: words, images } = contentOf(content);
    return observeUser(line, text(client_id) ? { item: client_id, uuid: id } : { item: id, uuid: id }, words, images);
  },
  AgentMessage: (line, { id, content }, model) => ({ observations: observeText(line, id, contentOf(content).text, model) }),
  Reasoning: (line, { id, summary_text, raw_content }) => ({
    observations: observeThinking(line, id, contentOf([...lines(summary_text), ...lines(raw_content)]).text),
  }),
  CommandExecution: observeCommand,
  FileChange: (line, item) => ({ observations: changesOf(item, agentAt(line)) }),
  // Reported with the summary.
  ContextCompaction: () => NOTHING,
};

const lines = (value: unknown): readonly { readonly text: string }[] => (Array.isArray(value) ? value.filter(text).map((one) => ({ text: one })) : []);

const TITLE_CHARS = 200;

export function observeUser(
  line: Line,
  { item, uuid }: { readonly item: string; readonly uuid: string },
  words: string,
  images: readonly RawImage[],
): LineResult {
  if (words === '' && images.length === 0) return NOTHING;
  const rawImages = images.length > 0 ? { rawImages: images } : {};
  const message: KeptObservation = { type: 'user.message', itemId: itemOf(item), uuid, text: words, origin: 'elsewhere', ...rawImages, ...agentAt(line) };
  return { observations: [message], ...(words === '' ? {} : { facts: { title: words.slice(0, TITLE_CHARS) } }) };
}

export const observeText = (line: Line, id: string, words: string, model: string | undefined): readonly KeptObservation[] =>
  words === ''
    ? []
    : [{ type: 'assistant.text', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text: words, ...(model && { model }), ...agentAt(line) }];

export const observeThinking = (line: Line, id: string, words: string): readonly KeptObservation[] =>
  words === '' ? [] : [{ type: 'assistant.thinking', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text: words, ...agentAt(line) }];

/** The exit code of a command that was ended by a signal. */
const KILLED = -1;

/** The item of an interrupted command is written when its process ends, long after its result ("aborted by user"): only what it printed is new. */
function whatItPrinted(line: Line, id: string, output: unknown): LineResult {
  if (!text(output) || output.trim() === '') return NOTHING;
  return {
    unprinted: true,
    observations: [{ type: 'notice.shown', level: 'info', parentItemId: itemOf(id), text: `Printed before it was stopped:\n${output}`, ...agentAt(line) }],
  };
}

/** The call was reported earlier, except for a shell command that a person ran. */
function observeCommand(line: Line, { id, command, aggregated_output, exit_code, status, source }: Item): LineResult {
  if (exit_code === KILLED && status === 'failed' && source !== 'user_shell') return whatItPrinted(line, id, aggregated_output);
  const words = Array.isArray(command) ? command.filter(text) : [];
  const started = { type: 'tool.started', itemId: itemOf(id), toolUseId: id, name: 'shell', input: { command: words.at(-1) ?? '' }, ...agentAt(line) } as const;
  const completed = {
    type: 'tool.completed',
    ...resultOf(id),
    output: text(aggregated_output) ? aggregated_output : '',
    isError: (typeof exit_code === 'number' && exit_code !== 0) || status === 'failed' || status === 'declined',
    ...agentAt(line),
  } as const;
  return { observations: source === 'user_shell' ? [started, completed] : [completed] };
}
