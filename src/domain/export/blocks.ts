import type { BlobRef, EventOf, ImageRef } from '../../protocol/event.ts';
import { changeOfCall } from '../changes/call-change.ts';
import type { Item, TextItem, ToolItem, UserItem } from '../transcript/item.ts';
import { callOutcome, errorText } from '../transcript/outcomes.ts';
import { unrecognisedText } from '../transcript/sentences.ts';
import { toolSummary } from '../transcript/tool-kind.ts';
import { childrenOf, itemOf, type Transcript } from '../transcript/transcript.ts';
import type { Block, CallBlock, ExportContent, Picture } from './block.ts';
import { lineOfBoundary, lineOfMark, lineOfPermission, lineOfTurn } from './lines.ts';

/** Agents were seen to nest subagents two deep; nesting beyond this does not come from an agent. */
const DEPTH = 16;

/** The items with these keys, in order, with everything that happened inside them. */
export function blocksOf(transcript: Transcript, keys: readonly string[], content: ExportContent, depth = 0): readonly Block[] {
  return keys.flatMap((key) => {
    const item = itemOf(transcript, key);
    if (item === undefined) return [];
    const block = blockOf(item, { transcript, content, depth });
    const marks = content.marks(key);
    return block === undefined ? [] : [marks === undefined ? block : { ...block, marks }];
  });
}

interface BlockContext {
  readonly transcript: Transcript;
  readonly content: ExportContent;
  readonly depth: number;
}

type Blocks = { readonly [K in Item['kind']]: (item: Extract<Item, { kind: K }>, context: BlockContext) => Block | undefined };

/** The block of each kind of item. The compiler demands an entry for every new kind. */
const BLOCKS: Blocks = {
  user: (item, { content }) => messageOf(item, content),
  text: (item, { content }) => answerOf(item, content),
  thinking: (item, { content }) => (item.text === '' ? undefined : { kind: 'thinking', text: wholeOf(item.text, item.whole, content) }),
  tool: callOf,
  permission: lineOfPermission,
  turn: lineOfTurn,
  mark: (item) => lineOfMark(item.event),
  seam: (item) => lineOfBoundary(item.side),
  unrecognised: (item) => ({ kind: 'line', tone: 'plain', text: unrecognisedText(item.events.length) }),
};

/** The compiler cannot follow that the entry of an item's kind takes that item, hence the cast. */
const blockOf = (item: Item, context: BlockContext): Block | undefined =>
  (BLOCKS[item.kind] as (item: Item, context: BlockContext) => Block | undefined)(item, context);

function messageOf(item: UserItem, content: ExportContent): Block {
  const who = item.origin === 'agent' ? 'Inserted by the agent' : (item.actor?.name ?? (item.origin === 'elsewhere' ? 'Typed in another program' : 'Person'));
  const text = wholeOf(item.text ?? '', item.whole, content);
  return { kind: 'said', who, text, images: picturesOf(item.images, content), ...(item.at !== undefined && { at: item.at }) };
}

function answerOf(item: TextItem, content: ExportContent): Block {
  const remark = (item.error === undefined ? undefined : errorText(item.error)) ?? (item.interrupted === true ? 'Stopped here' : undefined);
  return { kind: 'answer', text: wholeOf(item.text, item.whole, content), ...(remark !== undefined && { remark }) };
}

function callOf(item: ToolItem, { transcript, content, depth }: BlockContext): CallBlock {
  const { started, completed } = item;
  const changed = changeOfCall(started, completed);
  const patch = changed && { ...changed.change, patch: wholeOf(changed.change.patch, changed.blob, content) };
  const keys = item.toolUseId === undefined ? [] : childrenOf(transcript, item.toolUseId);
  return {
    kind: 'call',
    name: item.name ?? 'A call that started earlier',
    summary: item.taskSubject ?? toolSummary(started?.input),
    // The patch shows the same content more briefly.
    input: patch === undefined && started !== undefined ? inputOf(started) : '',
    // The decision is a line of its own.
    output: completed === undefined || item.denied === 'byPerson' ? '' : wholeOf(completed.output, completed.blobs?.output, content),
    outcome: callOutcome(item),
    images: picturesOf(completed?.images ?? [], content),
    inside: depth < DEPTH || keys.length === 0 ? blocksOf(transcript, keys, content, depth + 1) : [tooDeep(keys.length)],
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

function wholeOf(head: string, ref: BlobRef | undefined, content: ExportContent): string {
  if (ref === undefined) return head;
  return content.whole(ref) ?? `${head}\n\n(shortened: it has ${ref.bytes} bytes)`;
}

const picturesOf = (refs: readonly ImageRef[], content: ExportContent): readonly Picture[] =>
  refs.map((ref) => {
    const uri = content.picture(ref);
    return { bytes: ref.bytes, ...(uri !== undefined && { uri }) };
  });
