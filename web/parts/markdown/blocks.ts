import { isShallow, lexBlocks } from './bounds.ts';

/** The top-level blocks of a text, so that only the growing one is rendered again. Joined, they are the text. */
export const blocksOf = (text: string): readonly string[] => withoutBlanks(rawsOf(text));

/** The blocks so far. */
export interface Cut {
  readonly text: string;
  /** The blocks with the whitespace between them. */
  readonly raws: readonly string[];
  readonly blocks: readonly string[];
}

/** Continues from an earlier, shorter version of the text: text added at the end can change only the last blocks, so only those are cut again. */
export function cutFurther(before: Cut | undefined, text: string): Cut {
  const settled = before === undefined || !text.startsWith(before.text) ? [] : before.raws.slice(0, -OPEN);
  const length = settled.reduce((sum, raw) => sum + raw.length, 0);
  // The lexer may normalize the text. Then cut all of it again.
  const isExact = text.startsWith(settled.join(''));
  const raws = isExact ? [...settled, ...rawsOf(text.slice(length))] : rawsOf(text);
  return { text, raws, blocks: withoutBlanks(raws) };
}

/** The last block, the whitespace after it, and the block before, which it may still join. */
const OPEN = 3;

const rawsOf = (text: string): readonly string[] => partsOf(text).flatMap((part) => (isShallow(part) ? lexed(part) : [part]));

/** Usually the text itself. If a paragraph nests too deep, the text is cut at blank lines, so that only this paragraph stays plain. */
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

const withoutBlanks = (raws: readonly string[]): readonly string[] => raws.filter((raw) => raw.trim() !== '');
