import { marked } from 'marked';

/** The top-level blocks of a text, so that only the one that grows is drawn again. Together they are the text. */
export const blocksOf = (text: string): readonly string[] =>
  marked
    .lexer(text)
    .map((token) => token.raw)
    .filter((raw) => raw.trim() !== '');
