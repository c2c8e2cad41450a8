import type { BlobRef, EventOf, ImageRef } from '../../protocol/event.ts';
import type { Item, TextItem, ToolItem, UserItem } from '../transcript/item.ts';
import { toolGist } from '../transcript/tool-kind.ts';
import { childrenOf, itemOf, type Transcript } from '../transcript/transcript.ts';
import type { Attic, Block, CallBlock, Picture } from './block.ts';
import { lineOfMark, lineOfPermission, lineOfSeam, lineOfTurn } from './lines.ts';

/** Agents were seen to nest subagents twice; a call inside a call deeper than this was not made by one. */
const DEPTH = 16;

/** The items of these keys, in their order, with what happened inside them. */
export function blocksOf(transcript: Transcript, keys: readonly string[], attic: Attic, depth = 0): readonly Block[] {
  return keys.flatMap((key) => {
    const item = itemOf(transcript, key);
    if (item === undefined) return [];
    const block = blockOf(transcript, item, attic, depth);
    const marks = attic.marks(key);
    return block === undefined ? [] : [marks === undefined ? block : { ...block, marks }];
  });
}

function blockOf(transcript: Transcript, item: Item, attic: Attic, depth: number): Block | undefined {
  switch (item.kind) {
    case 'user':
      return saidOf(item, attic);
    case 'text':
      return answerOf(item, attic);
    case 'thinking':
      return item.text === '' ? undefined : { kind: 'thinking', text: wholeOf(item.text, item.whole, attic) };
    case 'tool':
      return callOf(transcript, item, attic, depth);
    case 'permission':
      return lineOfPermission(item);
    case 'turn':
      return lineOfTurn(item.completed);
    case 'mark':
      return lineOfMark(item.event);
    case 'seam':
      return lineOfSeam(item.side);
    case 'unrecognised':
      return { kind: 'line', tone: 'plain', text: `${item.events.length} of the agent's lines were not understood` };
  }
}

function saidOf(item: UserItem, attic: Attic): Block {
  const who = item.origin === 'agent' ? 'Told to the agent' : (item.actor?.name ?? (item.origin === 'elsewhere' ? 'Typed in another program' : 'Person'));
  const text = wholeOf(item.text ?? '', item.whole, attic);
  return { kind: 'said', who, text, images: picturesOf(item.images, attic), ...(item.at !== undefined && { at: item.at }) };
}

function answerOf(item: TextItem, attic: Attic): Block {
  const remark = item.error ?? (item.interrupted === true ? 'interrupted' : undefined);
  return { kind: 'answer', text: wholeOf(item.text, item.whole, attic), ...(remark !== undefined && { remark }) };
}

function callOf(transcript: Transcript, item: ToolItem, attic: Attic, depth: number): CallBlock {
  const { started, completed } = item;
  const change = completed?.change;
  const patch = change === undefined ? undefined : { ...change, patch: wholeOf(change.patch, completed?.blobs?.['change.patch'], attic) };
  const keys = item.toolUseId === undefined ? [] : childrenOf(transcript, item.toolUseId);
  return {
    kind: 'call',
    name: item.name ?? 'A call that began earlier',
    gist: toolGist(started?.input),
    // The patch says what was written, and more shortly.
    input: patch === undefined && started !== undefined ? inputOf(started) : '',
    output: completed === undefined ? '' : wholeOf(completed.output, completed.blobs?.output, attic),
    outcome: completed === undefined ? 'open' : completed.isError ? 'failed' : 'done',
    images: picturesOf(completed?.images ?? [], attic),
    inside: depth < DEPTH || keys.length === 0 ? blocksOf(transcript, keys, attic, depth + 1) : [tooDeep(keys.length)],
    ...(patch !== undefined && { change: patch }),
  };
}

const tooDeep = (steps: number): Block => ({ kind: 'line', tone: 'plain', text: `${steps} ${steps === 1 ? 'step' : 'steps'} nested too deep to show` });

function inputOf({ input, blobs = {} }: EventOf<'tool.started'>): string {
  const [only, ...more] = Object.values(input);
  const text = more.length === 0 && typeof only === 'string' ? only : JSON.stringify(input, null, 2);
  const shortened = Object.entries(blobs).map(([path, { bytes }]) => `\n(${path} is shortened: it has ${bytes} bytes)`);
  return `${text}${shortened.join('')}`;
}

function wholeOf(head: string, ref: BlobRef | undefined, attic: Attic): string {
  if (ref === undefined) return head;
  return attic.whole(ref) ?? `${head}\n\n(shortened: it has ${ref.bytes} bytes)`;
}

const picturesOf = (refs: readonly ImageRef[], attic: Attic): readonly Picture[] =>
  refs.map((ref) => {
    const uri = attic.picture(ref);
    return { bytes: ref.bytes, ...(uri !== undefined && { uri }) };
  });
