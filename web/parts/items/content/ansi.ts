import { type AnsiLook, applySgr, lookName, PLAIN_LOOK } from './ansi-look.ts';

export interface AnsiPiece {
  readonly text: string;
  /** CSS classes; empty for plain text. */
  readonly look: string;
}

export type AnsiLine = readonly AnsiPiece[];

/** What a terminal would show: colors as looks, overwritten lines in their final state, and no other escape sequences. */
export function ansiLines(text: string): readonly AnsiLine[] {
  let look = PLAIN_LOOK;
  return text
    .replace(/\r*\n$/, '')
    .split(/\r*\n/)
    .map((line) => {
      const drawn = drawLine(line, look);
      look = drawn.look;
      return drawn.pieces;
    });
}

export const lineText = (line: AnsiLine): string => line.map((piece) => piece.text).join('');

/**
 * In order: CSI, including one cut off at the end; OSC and similar, which hostile output may leave open: then only its first two characters go, never the rest;
 * two-character escapes; single control characters.
 */
const TOKENS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  /\x1b\[([0-?]*)[ -/]*([@-~]|$)|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

interface Drawn {
  readonly pieces: AnsiLine;
  readonly look: AnsiLook;
}

function drawLine(line: string, before: AnsiLook): Drawn {
  const terminalLine = new TerminalLine();
  let look = before;
  let from = 0;
  for (const token of line.matchAll(TOKENS)) {
    terminalLine.write(line.slice(from, token.index), lookName(look));
    from = token.index + token[0].length;
    if (token[2] === 'm') look = applySgr(look, token[1] ?? '');
    else terminalLine.apply(token[0], token[1] ?? '', token[2]);
  }
  terminalLine.write(line.slice(from), lookName(look));
  return { pieces: terminalLine.pieces(), look };
}

interface Cell {
  readonly char: string;
  readonly look: string;
}

const BLANK: Cell = { char: ' ', look: '' };

/** One line of a terminal: appends text or, after a carriage return or backspace, overwrites what is there. */
class TerminalLine {
  #pieces: AnsiPiece[] = [];
  /** Only for a line that gets overwritten. */
  #cells: Cell[] | undefined;
  #at = 0;

  write(text: string, look: string): void {
    if (text === '') return;
    if (this.#cells === undefined) {
      this.#pieces = joined(this.#pieces, text, look);
      return;
    }
    while (this.#cells.length < this.#at) this.#cells.push(BLANK);
    for (const char of text) {
      this.#cells[this.#at] = { char, look };
      this.#at += 1;
    }
  }

  apply(token: string, parameter: string, final: string | undefined): void {
    if (token === '\r') this.#moveTo(0);
    else if (token === '\b') this.#moveTo(this.#length() - 1);
    else if (final === 'G' && parameter === '') this.#moveTo(0);
    else if (final === 'K') this.#erase(parameter);
  }

  pieces(): AnsiLine {
    if (this.#cells === undefined) return this.#pieces;
    return this.#cells.reduce<AnsiPiece[]>((pieces, { char, look }) => joined(pieces, char, look), []);
  }

  #length(): number {
    return this.#cells === undefined ? this.#pieces.reduce((sum, { text }) => sum + [...text].length, 0) : this.#at;
  }

  #moveTo(at: number): void {
    this.#cells ??= this.#pieces.flatMap(({ text, look }) => [...text].map((char) => ({ char, look })));
    this.#at = Math.max(0, at);
  }

  /** Erases from the cursor to the end or, with any other parameter, the full line. */
  #erase(parameter: string): void {
    this.#moveTo(this.#length());
    if (this.#cells !== undefined) this.#cells.length = parameter === '' || parameter === '0' ? Math.min(this.#cells.length, this.#at) : 0;
  }
}

function joined(pieces: AnsiPiece[], text: string, look: string): AnsiPiece[] {
  const last = pieces.at(-1);
  if (last?.look === look) pieces[pieces.length - 1] = { text: last.text + text, look };
  else pieces.push({ text, look });
  return pieces;
}
