import { type AnsiLook, applySgr, lookName, PLAIN_LOOK } from './ansi-look.ts';

export interface AnsiPiece {
  readonly text: string;
  /** Names of classes; empty when it looks like all else. */
  readonly look: string;
}

export type AnsiLine = readonly AnsiPiece[];

/** What a terminal would show of an output: colours as looks, lines that were written over as they were left, and nothing of any other escape. */
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
 * In order: CSI, also one that was cut off at the end; OSC and the like, which a hostile one may leave open: then only its first two signs go, never what follows;
 * two-sign escapes; single controls.
 */
const TOKENS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /\x1b\[([0-?]*)[ -/]*([@-~]|$)|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

interface Drawn {
  readonly pieces: AnsiLine;
  readonly look: AnsiLook;
}

function drawLine(line: string, before: AnsiLook): Drawn {
  const sheet = new Sheet();
  let look = before;
  let from = 0;
  for (const token of line.matchAll(TOKENS)) {
    sheet.write(line.slice(from, token.index), lookName(look));
    from = token.index + token[0].length;
    if (token[2] === 'm') look = applySgr(look, token[1] ?? '');
    else sheet.obey(token[0], token[1] ?? '', token[2]);
  }
  sheet.write(line.slice(from), lookName(look));
  return { pieces: sheet.pieces(), look };
}

interface Cell {
  readonly sign: string;
  readonly look: string;
}

const BLANK: Cell = { sign: ' ', look: '' };

/** One line of a terminal: text is added, or, after a return or a step back, written over what is there. */
class Sheet {
  #pieces: AnsiPiece[] = [];
  /** Only of a line that is written over. */
  #cells: Cell[] | undefined;
  #at = 0;

  write(text: string, look: string): void {
    if (text === '') return;
    if (this.#cells === undefined) {
      this.#pieces = joined(this.#pieces, text, look);
      return;
    }
    while (this.#cells.length < this.#at) this.#cells.push(BLANK);
    for (const sign of text) {
      this.#cells[this.#at] = { sign, look };
      this.#at += 1;
    }
  }

  obey(token: string, parameter: string, final: string | undefined): void {
    if (token === '\r') this.#moveTo(0);
    else if (token === '\b') this.#moveTo(this.#length() - 1);
    else if (final === 'G' && parameter === '') this.#moveTo(0);
    else if (final === 'K') this.#erase(parameter);
  }

  pieces(): AnsiLine {
    if (this.#cells === undefined) return this.#pieces;
    return this.#cells.reduce<AnsiPiece[]>((pieces, { sign, look }) => joined(pieces, sign, look), []);
  }

  #length(): number {
    return this.#cells === undefined ? this.#pieces.reduce((sum, { text }) => sum + [...text].length, 0) : this.#at;
  }

  #moveTo(at: number): void {
    this.#cells ??= this.#pieces.flatMap(({ text, look }) => [...text].map((sign) => ({ sign, look })));
    this.#at = Math.max(0, at);
  }

  /** From here to the end, or, asked for otherwise, the whole line. */
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
