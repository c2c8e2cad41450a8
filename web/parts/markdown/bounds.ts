import { Lexer } from 'marked';

/**
 * Hostile Markdown breaks the parsers: they recurse once per level and compare every delimiter of a paragraph with every other one.
 * So the text is measured before parsing, and anything over a limit is shown as plain text. `MAX_LEVELS` limits the parsed result.
 */

/** Quotes and list items that one line opens. The parsers' time grows with its square; people nest five deep. */
const MAX_MARKERS = 64;
/** Delimiters in one paragraph, heading or cell. The parsers' time grows with its square, to about 70 ms here; a long paragraph has a few dozen. */
const MAX_DELIMITERS = 600;
/** Delimiters times characters of one paragraph: for each backtick or bracket the parser may scan to the end of the paragraph. */
const MAX_STEPS = 4_000_000;
/** Underlined headings inside one quote or list: the same square, to about 200 ms here. */
const MAX_UNDERLINES = 1000;
/** Columns times lines of a table: an empty row of one character is drawn with all its cells. */
const MAX_CELLS = 20_000;
/** Nested elements, so that the browser can lay out the result: a list takes two levels, so this is thirty lists deep. */
const MAX_LEVELS = 64;

const MARKERS = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)+/gm;
const MARKER = />|[-*+](?=[ \t]|$)|\d[.)]/g;
const DELIMITER = /([*_~`])\1*|[[\]<]/g;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/gm;
/** What makes the lines around it a table. */
const TABLE_RULE = /^[ \t>]*[|:-][|:\- \t]*$/gm;

/** Whether the text can be cut into blocks: no line opens too many containers. Takes one pass. */
export const isShallow = (text: string): boolean => (text.match(MARKERS) ?? []).every((start) => count(start, MARKER) <= MAX_MARKERS);

/** Whether a block parses quickly. Only a block with many delimiters, such as a long list or code, has to be lexed to find out. */
export function isLight(block: string): boolean {
  const hasFewLines = count(block, UNDERLINE) <= MAX_UNDERLINES && cellsOf(block) <= MAX_CELLS;
  if (hasFewLines && hasFewDelimiters(block)) return true;
  const { tokens, inlineQueue } = lexBlocks(block);
  if (tokens.every(({ type }) => type === 'code' || type === 'space')) return true;
  return hasFewLines && inlineQueue.every(({ src }) => hasFewDelimiters(src));
}

function hasFewDelimiters(text: string): boolean {
  const delimiters = count(text, DELIMITER);
  return delimiters <= MAX_DELIMITERS && delimiters * text.length <= MAX_STEPS;
}

/** An upper limit for the number of cells. */
function cellsOf(block: string): number {
  const columns = (block.match(TABLE_RULE) ?? []).reduce((max, rule) => Math.max(max, count(rule, /\|/g)), 0);
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

/** Whether the parsed tree nests deeper than the page renders. Goes level by level, so that it needs no stack itself. */
export function isDeep(tree: Tree): boolean {
  let level: readonly Tree[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap(({ children = [] }) => children);
  }
  return false;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
