import type { Observation } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import { fileChangeTold, kept, shown } from './live-changes.ts';
import { contentOf } from './records/content.ts';
import { inShell } from './shell-words.ts';
import type { State, Step } from './state.ts';
import { lookUp, nothing, tell, withKey, without } from './state.ts';
import { cutOff } from './stream.ts';
import { PATCH, SEARCH, SHELL } from './subject.ts';
import { unrecognised } from './unrecognised.ts';
import type { Item, ItemLine } from './wire.ts';

export function itemStarted(state: State, { item }: ItemLine): Step {
  switch (item.type) {
    case 'userMessage':
      return userSpoke(state, item);
    case 'agentMessage':
    case 'plan':
      return nothing({ ...state, texts: withKey(state.texts, item.id, { kind: 'text', chars: 0, text: '' }) });
    case 'reasoning':
      return nothing({ ...state, texts: withKey(state.texts, item.id, { kind: 'thinking', chars: 0, text: '' }) });
    case 'commandExecution':
      return tell(state, called(item, SHELL, commandOf(item)));
    case 'fileChange':
      return tell(noted(state, item), called(item, PATCH, { changes: (item.changes ?? []).map(shown) }));
    case 'mcpToolCall':
      return tell(state, called(item, `mcp__${item.server ?? ''}__${item.tool ?? ''}`, objectOf(item.arguments)));
    case 'webSearch':
      return tell(state, called(item, SEARCH, item.query ? { query: item.query } : {}));
    default:
      return nothing(state);
  }
}

export function itemCompleted(state: State, { item }: ItemLine): Step {
  if (state.cut.includes(item.id)) return nothing(state);
  const after: State = { ...state, texts: without(state.texts, item.id), changes: without(state.changes, item.id) };
  switch (item.type) {
    case 'userMessage':
      return nothing(after);
    case 'agentMessage':
    case 'plan':
      return said(state, after, item);
    case 'reasoning':
      return thought(state, after, item);
    case 'commandExecution':
      return ran(after, item);
    case 'fileChange':
      return tell(denied(after, item), ...fileChangeTold(item));
    case 'mcpToolCall':
      return tell(after, returned(item, { output: outputOf(item), isError: item.status === 'failed' }));
    case 'webSearch':
      return tell(after, returned(item, { output: '', isError: false }));
    case 'contextCompaction':
      return tell(after, { type: 'context.compacted', itemId: itemOf(item.id), trigger: state.isCompacting ? 'manual' : 'auto' });
    default:
      return tell(after, unrecognised(JSON.stringify(item), `an item of an unknown kind: ${item.type}`));
  }
}

/** What came from us bears the id that we gave it. A message that steers cuts off the answer that is being written (0.166.0). */
function userSpoke(state: State, { id, clientId, content }: Item): Step {
  const cut = cutOff(state);
  if (clientId) return tell(cut.state, ...cut.observations, { type: 'input.taken', inputId: clientId });
  const { text, images } = contentOf(content);
  return tell(cut.state, ...cut.observations, {
    type: 'user.message',
    itemId: itemOf(id),
    uuid: id,
    text,
    origin: 'agent',
    ...(images.length > 0 ? { rawImages: images } : {}),
  });
}

/** The state is stored with every event; a longer answer is in the transcript. */
const RESULT_CHARS = 2000;

function said(before: State, after: State, { id, text = '' }: Item): Step {
  if (text === '') return tell(after, ...droppedText(before, id));
  return tell({ ...after, result: text.slice(0, RESULT_CHARS) }, { type: 'assistant.text', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text });
}

/** What a model thinks is told in summaries; some tell it whole instead. */
function thought(before: State, after: State, { id, summary = [], content }: Item): Step {
  const text = summary.length > 0 ? summary.join('\n') : contentOf(textsIn(content)).text;
  if (text === '') return tell(after, ...droppedText(before, id));
  return tell(after, { type: 'assistant.thinking', itemId: itemOf(id), messageId: id, index: 0, uuid: id, text });
}

const textsIn = (content: unknown) => (Array.isArray(content) ? content.filter((one) => typeof one === 'string').map((text) => ({ text })) : []);

const droppedText = ({ texts }: State, id: string): readonly Observation[] =>
  (lookUp(texts, id)?.chars ?? 0) > 0 ? [{ type: 'delta.dropped', itemId: itemOf(id) }] : [];

const called = ({ id }: Item, name: string, input: Record<string, unknown>): Observation => ({
  type: 'tool.started',
  itemId: itemOf(id),
  toolUseId: id,
  name,
  input,
});

const commandOf = ({ command = '', cwd }: Item) => ({ command: inShell(command), ...(cwd ? { cwd } : {}) });

const returned = ({ id }: Item, more: { readonly output: string; readonly isError: boolean }): Observation => ({
  type: 'tool.completed',
  itemId: itemOf(`${id}:result`),
  parentItemId: itemOf(id),
  toolUseId: id,
  ...more,
});

/** Of a command that was refused there is nothing but that. */
function ran(state: State, item: Item): Step {
  if (item.status === 'declined') return tell(denied(state, item), returned(item, { output: 'The person said no.', isError: true }));
  const isError = item.status === 'failed' || (item.exitCode ?? 0) !== 0;
  return tell(state, returned(item, { output: item.aggregatedOutput ?? '', isError }));
}

const denied = (state: State, { status }: Item): State => (status === 'declined' ? { ...state, denials: state.denials + 1 } : state);

/** The request for approval follows at once, and says only which item it is about. */
const noted = (state: State, { id, changes = [] }: Item): State => ({ ...state, changes: { [id]: kept(changes) } });

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { arguments: value };

/** Made from the types of 0.166.0, and not seen. */
function outputOf({ result, error }: Item): string {
  const { message, content } = { ...objectOf(error), ...objectOf(result) };
  return typeof message === 'string' ? message : contentOf(content).text;
}
