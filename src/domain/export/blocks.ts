import type { BlobRef, EventOf, ImageRef } from '../../protocol/event.ts';
import type { Item, TextItem, ToolItem, UserItem } from '../transcript/item.ts';
import { unrecognisedText } from '../transcript/sentences.ts';
import { toolSummary } from '../transcript/tool-kind.ts';
import { childrenOf, itemOf, type Transcript } from '../transcript/transcript.ts';
import type { Block, CallBlock, ExportContent, Picture } from './block.ts';
import { lineOfBoundary, lineOfMark, lineOfPermission, lineOfTurn } from './lines.ts';

/** Agents were seen to nest subagents twice; a call inside a call deeper than this was not made by one. */
const DEPTH = 16;

/** The items of these keys, in their order, with what happened inside them. */
export function blocksOf(transcript: Transcript, keys: readonly string[], attic: ExportContent, depth = 0): readonly Block[] {
  return keys.flatMap((key) => {
    const item = itemOf(transcript, key);
    if (item === undefined) return [];
    const block = blockOf(item, { transcript, attic, depth });
    const marks = attic.marks(key);
    return block === undefined ? [] : [marks === undefined ? block : { ...block, marks }];
  });
}

interface Around {
  readonly transcript: Transcript;
  readonly attic: ExportContent;
  readonly depth: number;
}

type Blocks = { readonly [K in Item['kind']]: (item: Extract<Item, { kind: K }>, around: Around) => Block | undefined };

/** The block of each kind of item. The type makes the compiler ask for every new kind. */
const BLOCKS: Blocks = {
  user: (item, { attic }) => saidOf(item, attic),
  text: (item, { attic }) => answerOf(item, attic),
  thinking: (item, { attic }) => (item.text === '' ? undefined : { kind: 'thinking', text: wholeOf(item.text, item.whole, attic) }),
  tool: callOf,
  permission: lineOfPermission,
  turn: (item) => lineOfTurn(item.completed),
  mark: (item) => lineOfMark(item.event),
  seam: (item) => lineOfBoundary(item.side),
  unrecognised: (item) => ({ kind: 'line', tone: 'plain', text: unrecognisedText(item.events.length) }),
};

/** The cast says what the compiler cannot follow: the entry of an item's kind takes that item. */
const blockOf = (item: Item, around: Around): Block | undefined => (BLOCKS[item.kind] as (item: Item, around: Around) => Block | undefined)(item, around);

function saidOf(item: UserItem, attic: ExportContent): Block {
  const who = item.origin === 'agent' ? 'Inserted by the agent' : (item.actor?.name ?? (item.origin === 'elsewhere' ? 'Typed in another program' : 'Person'));
  const text = wholeOf(item.text ?? '', item.whole, attic);
  return { kind: 'said', who, text, images: picturesOf(item.images, attic), ...(item.at !== undefined && { at: item.at }) };
}

function answerOf(item: TextItem, attic: ExportContent): Block {
  const remark = item.error ?? (item.interrupted === true ? 'interrupted' : undefined);
  return { kind: 'answer', text: wholeOf(item.text, item.whole, attic), ...(remark !== undefined && { remark }) };
}

function callOf(item: ToolItem, { transcript, attic, depth }: Around): CallBlock {
  const { started, completed } = item;
  const change = completed?.change;
  const patch = change === undefined ? undefined : { ...change, patch: wholeOf(change.patch, completed?.blobs?.['change.patch'], attic) };
  const keys = item.toolUseId === undefined ? [] : childrenOf(transcript, item.toolUseId);
  return {
    kind: 'call',
    name: item.name ?? 'A call that started earlier',
    summary: toolSummary(started?.input),
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

function wholeOf(head: string, ref: BlobRef | undefined, attic: ExportContent): string {
  if (ref === undefined) return head;
  return attic.whole(ref) ?? `${head}\n\n(shortened: it has ${ref.bytes} bytes)`;
}

const picturesOf = (refs: readonly ImageRef[], attic: ExportContent): readonly Picture[] =>
  refs.map((ref) => {
    const uri = attic.picture(ref);
    return { bytes: ref.bytes, ...(uri !== undefined && { uri }) };
  });
