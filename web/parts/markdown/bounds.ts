import { Lexer } from 'marked';

/**
 * Hostile Markdown breaks the parsers: they call themselves once per level, and compare every sign of a paragraph with every other one.
 * So a text is measured before it is parsed, and what is over a bound is shown as plain text. `MOST_LEVELS` bounds what was parsed.
 */

/** Quotes and list items that one line opens. The parsers' time grows with the square of it; people nest five deep. */
const MOST_MARKERS = 64;
/** Signs in one paragraph, heading or cell. The parsers' time grows with the square of it, to about 70 ms here; a long paragraph has some dozens. */
const MOST_SIGNS = 600;
/** Signs times characters of one paragraph: after each backtick or bracket the parser may look for its end, up to the end of the paragraph. */
const MOST_STEPS = 4_000_000;
/** Underlined headings inside one quote or list: the same square, to about 200 ms here. */
const MOST_UNDERLINES = 1000;
/** Columns times lines of a table: an empty row of one character is drawn with all its cells. */
const MOST_CELLS = 20_000;
/** Elements inside each other. Nothing is drawn that the page could not lay out: a list takes two levels, so this is thirty lists deep. */
const MOST_LEVELS = 64;

const MARKERS = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)+/gm;
const MARKER = />|[-*+](?=[ \t]|$)|\d[.)]/g;
const SIGN = /([*_~`])\1*|[[\]<]/g;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/gm;
/** What makes the lines around it a table. */
const TABLE_RULE = /^[ \t>]*[|:-][|:\- \t]*$/gm;

/** Whether the text can be cut into blocks: no line opens too many containers. One pass over the text. */
export const isShallow = (text: string): boolean => (text.match(MARKERS) ?? []).every((start) => count(start, MARKER) <= MOST_MARKERS);

/** Whether a block can be parsed in little time. Only a block with many signs, such as a long list or code, is cut up to find out. */
export function isLight(block: string): boolean {
  const hasFewLines = count(block, UNDERLINE) <= MOST_UNDERLINES && cellsOf(block) <= MOST_CELLS;
  if (hasFewLines && hasFewSigns(block)) return true;
  const { tokens, inlineQueue } = lexBlocks(block);
  if (tokens.every(({ type }) => type === 'code' || type === 'space')) return true;
  return hasFewLines && inlineQueue.every(({ src }) => hasFewSigns(src));
}

function hasFewSigns(text: string): boolean {
  const signs = count(text, SIGN);
  return signs <= MOST_SIGNS && signs * text.length <= MOST_STEPS;
}

/** At most so many cells. */
function cellsOf(block: string): number {
  const columns = (block.match(TABLE_RULE) ?? []).reduce((most, rule) => Math.max(most, count(rule, /\|/g)), 0);
  return columns === 0 ? 0 : columns * count(block, /\n/g);
}

/** The blocks of a text, with their paragraphs still unparsed. */
export function lexBlocks(text: string): Lexer {
  const lexer = new Lexer();
  lexer.blockTokens(text.replace(/\r\n?/g, '\n'), lexer.tokens);
  return lexer;
}

export interface Tree {
  readonly children?: readonly Tree[];
}

/** Whether what was parsed nests deeper than the page draws. Level by level, so that this itself needs no stack. */
export function isDeep(tree: Tree): boolean {
  let level: readonly Tree[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap(({ children = [] }) => children);
  }
  return false;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
