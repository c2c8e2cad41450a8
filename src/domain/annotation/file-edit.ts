import { readPatch } from '../changes/patch.ts';
import { QUOTE_CHARS } from './compose.ts';
import { type LineRange, moveThrough } from './move-lines.ts';
import type { OpenItem } from './state.ts';

/** A file at the start of a turn, and what the turn changed in it. */
export interface FileEdit {
  readonly before: string;
  readonly patch: string;
}

/** Whether the turn changed one of the item's lines. An edit elsewhere in the file is none, and neither is one to lines that can't be found. */
export function isEditOf(item: Pick<OpenItem, 'place' | 'start'>, { before, patch }: FileEdit): boolean {
  const range = linesAtStart(item, before);
  const hunks = readPatch(patch);
  return range !== undefined && hunks !== undefined && moveThrough(hunks, range).touched;
}

/** Where the item's lines were at the start of the turn: where they are known to be, if they are there, else where they occur only once. */
function linesAtStart({ place, start }: Pick<OpenItem, 'place' | 'start'>, before: string): LineRange | undefined {
  const quote = place?.quote?.replace(/\r/g, '');
  if (place === undefined || quote === undefined || quote === '') return undefined;
  const text = before.replace(/\r/g, '');
  const offsets = lineOffsets(text);
  const isWhole = quote.length < QUOTE_CHARS;
  const isAt = (line: number): boolean => {
    const from = offsets[line - 1] ?? text.length + 1;
    return text.startsWith(quote, from) && (!isWhole || [undefined, '\n'].includes(text[from + quote.length]));
  };
  if (start !== undefined && isAt(start.from)) return start;
  const [only, ...more] = offsets.map((_, index) => index + 1).filter(isAt);
  return only === undefined || more.length > 0 ? undefined : { from: only, to: only + (place.to - place.from) };
}

function lineOffsets(text: string): readonly number[] {
  const offsets = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) offsets.push(at + 1);
  return offsets;
}
