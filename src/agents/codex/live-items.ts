import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing, ownProperty, withKey, withoutKey } from '../formats/fold.ts';
import { itemOf, resultOf } from '../formats/item-id.ts';
import { unrecognized } from '../formats/unrecognized.ts';
import { kept, observeFileChange, shown } from './live-changes.ts';
import { contentOf } from './records/content.ts';
import type { State, Step } from './state.ts';
import { cutOff } from './stream.ts';
import { PATCH, SEARCH, SHELL } from './subject.ts';
import { unwrapShell } from './unwrap-shell.ts';
import type { Item, ItemLine } from './wire.ts';

export function itemStarted(state: State, { item }: ItemLine): Step {
  switch (item.type) {
    case 'userMessage':
      return userMessageStarted(state, item);
    case 'agentMessage':
    case 'plan':
      return emitNothing({ ...state, texts: withKey(state.texts, item.id, { kind: 'text', chars: 0, text: '' }) });
    case 'reasoning':
      return emitNothing({ ...state, texts: withKey(state.texts, item.id, { kind: 'thinking', chars: 0, text: '' }) });
    case 'commandExecution':
      return emit(state, called(item, SHELL, commandOf(item)));
    case 'fileChange':
      return emit(noted(state, item), called(item, PATCH, { changes: (item.changes ?? []).map(shown) }));
    case 'mcpToolCall':
      return emit(state, called(item, `mcp__${item.server ?? ''}__${item.tool ?? ''}`, objectOf(item.arguments)));
    case 'dynamicToolCall':
      return emit(state, called(item, item.tool ?? '', objectOf(item.arguments)));
    case 'webSearch':
      return emit(state, called(item, SEARCH, item.query ? { query: item.query } : {}));
    default:
      return emitNothing(state);
  }
}

export function itemCompleted(state: State, { item }: ItemLine): Step {
  if (state.cut.includes(item.id)) return emitNothing(state);
  const after: State = { ...state, texts: withoutKey(state.texts, item.id), changes: withoutKey(state.changes, item.id) };
  switch (item.type) {
    case 'userMessage':
      return emitNothing(after);
    case 'agentMessage':
    case 'plan':
      return messageCompleted(state, after, item);
    case 'reasoning':
      return reasoningCompleted(state, after, item);
    case 'commandExecution':
      return ran(after, item);
    case 'fileChange':
      return emit(denied(after, item), ...observeFileChange(item));
    case 'mcpToolCall':
      return emit(after, returned(item, { output: outputOf(item), isError: item.status === 'failed' }));
    case 'dynamicToolCall':
      return emit(after, returned(item, { output: contentOf(item.contentItems).text, isError: item.success !== true }));
    case 'webSearch':
      return emit(after, returned(item, { output: '', isError: false }));
    case 'contextCompaction':
      return emit(after, { type: 'context.compacted', itemId: itemOf(item.id), trigger: state.isCompacting ? 'manual' : 'auto' });
    default:
      return emit(after, unrecognized(JSON.stringify(item), `an item of an unknown kind: ${item.type}`));
  }
}

/** Our own messages carry our id. A steering message cuts off the answer that is being written (0.166.0). */
function userMessageStarted(state: State, { id, clientId, content }: Item): Step {
  const cut = cutOff(state);
  if (clientId) return emit(cut.state, ...cut.observations, { type: 'input.taken', inputId: clientId });
  const { text, images } = contentOf(content);
  return emit(cut.state, ...cut.observations, {
    type: 'user.message',
    itemId: itemOf(id),
    uuid: id,
    text,
    origin: 'agent',
    ...(images.length > 0 ? { rawImages: images } : {}),
  });
}

/** The state is stored with every event; the transcript has the full answer. */
const RESULT_CHARS = 2000;

function messageCompleted(before: State, after: State, { id, text = '' }: Item): Step {
  if (text === '') return emit(after, ...droppedText(before, id));
  return emit({ ...after, result: text.slice(0, RESULT_CHARS) }, { type: 'assistant.text', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text });
}

/** Most models report thinking as summaries; some report all of it. */
function reasoningCompleted(before: State, after: State, { id, summary = [], content }: Item): Step {
  const text = summary.length > 0 ? summary.join('\n') : contentOf(textsIn(content)).text;
  if (text === '') return emit(after, ...droppedText(before, id));
  return emit(after, { type: 'assistant.thinking', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text });
}

const textsIn = (content: unknown) => (Array.isArray(content) ? content.filter((one) => typeof one === 'string').map((text) => ({ text })) : []);

const droppedText = ({ texts }: State, id: string): readonly Observation[] =>
  (ownProperty(texts, id)?.chars ?? 0) > 0 ? [{ type: 'delta.dropped', itemId: itemOf(id) }] : [];

const called = ({ id }: Item, name: string, input: Record<string, unknown>): Observation => ({
  type: 'tool.started',
  itemId: itemOf(id),
  toolUseId: id,
  name,
  input,
});

const commandOf = ({ command = '', cwd }: Item) => ({ command: unwrapShell(command), ...(cwd ? { cwd } : {}) });

const returned = ({ id }: Item, more: { readonly output: string; readonly isError: boolean }): Observation => ({
  type: 'tool.completed',
  ...resultOf(id),
  ...more,
});

/** A declined command has no output. */
function ran(state: State, item: Item): Step {
  if (item.status === 'declined') return emit(denied(state, item), returned(item, { output: 'Denied by the user.', isError: true }));
  const isError = item.status === 'failed' || (item.exitCode ?? 0) !== 0;
  return emit(state, returned(item, { output: item.aggregatedOutput ?? '', isError }));
}

const denied = (state: State, { status }: Item): State => (status === 'declined' ? { ...state, denials: state.denials + 1 } : state);

/** The approval request follows immediately and only names the item. */
const noted = (state: State, { id, changes = [] }: Item): State => ({ ...state, changes: { [id]: kept(changes) } });

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { arguments: value };

/** Based on the types of 0.166.0; never seen. */
function outputOf({ result, error }: Item): string {
  const { message, content } = { ...objectOf(error), ...objectOf(result) };
  return typeof message === 'string' ? message : contentOf(content).text;
}
