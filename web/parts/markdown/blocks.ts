import { isShallow, lexBlocks } from './bounds.ts';

/** The top-level blocks of a text, so that only the one that grows is drawn again. Together they are the text. */
export const blocksOf = (text: string): readonly string[] => wordsOf(rawsOf(text));

/** What has been cut into blocks so far. */
export interface Cut {
  readonly text: string;
  /** As they were cut, with what stands between them. */
  readonly raws: readonly string[];
  readonly blocks: readonly string[];
}

/** Cuts a text of which an earlier form was cut before: what grows at its end cannot change any block but the last ones, so only those are cut again. */
export function cutFurther(before: Cut | undefined, text: string): Cut {
  const settled = before === undefined || !text.startsWith(before.text) ? [] : before.raws.slice(0, -OPEN);
  const length = settled.reduce((sum, raw) => sum + raw.length, 0);
  // What was cut is not always what was given: then everything is cut again.
  const isExact = text.startsWith(settled.join(''));
  const raws = isExact ? [...settled, ...rawsOf(text.slice(length))] : rawsOf(text);
  return { text, raws, blocks: wordsOf(raws) };
}

/** The last block, what stands behind it, and the one before, which it may still join. */
const OPEN = 3;

const rawsOf = (text: string): readonly string[] => partsOf(text).flatMap((part) => (isShallow(part) ? lexed(part) : [part]));

/** The text itself, as a rule. Around a paragraph that nests too deep it is cut at blank lines, so that only this one stays as it is. */
function partsOf(text: string): readonly string[] {
  if (isShallow(text)) return [text];
  const parts: string[] = [];
  for (const paragraph of text.split(/(?<=\n[ \t]*\n)/)) {
    const before = parts.at(-1);
    if (before !== undefined && isShallow(before) && isShallow(paragraph)) parts[parts.length - 1] = before + paragraph;
    else parts.push(paragraph);
  }
  return parts;
}

function lexed(text: string): readonly string[] {
  try {
    return lexBlocks(text).tokens.map((token) => token.raw);
  } catch {
    return [text];
  }
}

const wordsOf = (raws: readonly string[]): readonly string[] => raws.filter((raw) => raw.trim() !== '');
