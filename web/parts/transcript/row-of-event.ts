import { toolKey } from '../../../src/domain/transcript/draft.ts';
import type { Item } from '../../../src/domain/transcript/item.ts';
import type { Transcript } from '../../../src/domain/transcript/transcript.ts';
import { branchFoldKey } from '../items/tools/subagent-branch.ts';

interface EventRow {
  readonly index: number;
  readonly key: string;
  /** What must be unfolded to show the event. */
  readonly folds: readonly string[];
}

/** The row that shows an event: its item's row, the row of the call it happened in, or else the last row before it. */
export function rowOfEvent(transcript: Transcript, seq: number): EventRow | undefined {
  const item = [...transcript.items.values()].find((each) => hasEvent(each, seq));
  const index = item === undefined ? -1 : transcript.rows.indexOf(rowKeyOf(transcript, item));
  if (item !== undefined && index >= 0) return { index, key: transcript.rows[index] ?? item.key, folds: [...foldsOf(item), ...branchesOf(transcript, item)] };
  const near = Math.max(
    0,
    transcript.rows.findLastIndex((key) => (transcript.items.get(key)?.seq ?? Number.POSITIVE_INFINITY) <= seq),
  );
  const key = transcript.rows[near];
  return key === undefined ? undefined : { index: near, key, folds: [] };
}

function hasEvent(item: Item, seq: number): boolean {
  if (item.seq === seq) return true;
  switch (item.kind) {
    case 'tool':
      return item.completed?.seq === seq || item.started?.seq === seq;
    case 'permission':
      return item.resolved?.seq === seq;
    case 'user':
      return item.saidSeq === seq;
    case 'unrecognised':
      return item.events.some((event) => event.seq === seq);
    default:
      return false;
  }
}

/** A subagent's work is drawn inside the call that started it, at any depth. */
const rowKeyOf = (transcript: Transcript, item: Item): string => callsAround(transcript, item).at(-1)?.key ?? item.key;

const branchesOf = (transcript: Transcript, item: Item): readonly string[] =>
  callsAround(transcript, item).flatMap((call) => (call.kind === 'tool' && call.toolUseId !== undefined ? [branchFoldKey(call.toolUseId)] : []));

/** The calls it happened in, innermost first. */
function callsAround(transcript: Transcript, item: Item): readonly Item[] {
  const around: Item[] = [];
  let at: Item | undefined = item;
  while (at?.parentToolUseId !== undefined && !around.includes(at)) {
    const call: Item | undefined = transcript.items.get(toolKey(at.parentToolUseId));
    if (call === undefined || around.includes(call)) break;
    around.push(call);
    at = call;
  }
  return around;
}

const foldsOf = (item: Item): readonly string[] => (item.kind === 'tool' || item.kind === 'thinking' ? [item.key] : []);
