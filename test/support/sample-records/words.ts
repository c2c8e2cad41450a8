import { seeded } from '../seeded.ts';

/** The number of words, not counting those that occur only once. The first ones are common, as in any language. */
const VOCABULARY = 60_000;
const SYLLABLES = ['ka', 'ro', 'mi', 'ten', 'sol', 'ver', 'ada', 'lin', 'pre', 'ost', 'ume', 'fir', 'gan', 'hel', 'ix', 'jor', 'qua', 'bri', 'ze', 'dun'];
const JOINTS = ['_', '.', '', '-', '/', '::'];

/** Words like those in agents' work: prose, identifiers, paths, and sometimes a word that occurs nowhere else. */
export class Words {
  readonly #random: () => number;
  readonly #vocabulary: readonly string[];

  constructor(seed: number) {
    this.#random = seeded(seed);
    this.#vocabulary = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));
  }

  next(): string {
    const dice = this.#random();
    if (dice < 0.02) return this.#unique();
    if (dice < 0.12) return this.#identifier();
    return this.#common();
  }

  /** About this many characters, in lines. Most words come from the conversation's topic. */
  text(chars: number, about: readonly string[]): string {
    let text = '';
    for (let line = 0; text.length < chars; ) {
      const word = this.#wordAbout(about);
      line += word.length + 1;
      text += line > 90 ? `${word}\n` : `${word} `;
      if (line > 90) line = 0;
    }
    return text.trimEnd();
  }

  /** About this many characters of tool output: code with punctuation and indentation. */
  code(chars: number, about: readonly string[]): string {
    let text = '';
    while (text.length < chars) text += this.#codeLine(about);
    return text;
  }

  /** The words that one conversation is about. */
  topic(words: number): readonly string[] {
    return Array.from({ length: words }, () => this.#common());
  }

  #codeLine(about: readonly string[]): string {
    const indent = '  '.repeat(this.between(0, 5));
    const word = () => this.#wordAbout(about);
    const kind = this.between(0, 5);
    if (kind === 0) return `${indent}const ${word()} = await ${word()}.${word()}(${word()}, { ${word()}: ${this.between(0, 100)} });\n`;
    if (kind === 1) return `${indent}if (${word()} !== undefined && ${word()}.length > ${this.between(0, 10)}) return ${word()}(${word()});\n`;
    if (kind === 2) return `${indent}/** ${word()} ${word()} ${word()} ${word()} the ${word()} of ${word()}. */\n`;
    if (kind === 3) return `${indent}    at ${word()} (src/${word()}/${word()}.ts:${this.between(1, 300)}:${this.between(1, 80)})\n`;
    return `${indent}expect(${word()}).toEqual({ ${word()}: '${word()}', ${word()}: [${this.between(0, 9)}, ${this.between(0, 9)}] });\n`;
  }

  #wordAbout(about: readonly string[]): string {
    return this.#random() < 0.7 ? (about[this.between(0, about.length)] ?? '') : this.next();
  }

  path(): string {
    return `src/${this.#common()}/${this.#common()}_${this.#common()}.ts`;
  }

  /** A whole number from `from` to below `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from));
  }

  uuid(): string {
    const hex = () =>
      Math.floor(this.#random() * 0x10000)
        .toString(16)
        .padStart(4, '0');
    return `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-a${hex().slice(1)}-${hex()}${hex()}${hex()}`;
  }

  /** The word at a rank; 0 is the most common. */
  ranked(rank: number): string {
    return this.#vocabulary[rank] ?? '';
  }

  /** Zipf: half of all words are among the first few hundred. */
  #common(): string {
    return this.#vocabulary[Math.floor(VOCABULARY ** this.#random()) - 1] ?? 'the';
  }

  #identifier(): string {
    const joint = JOINTS[this.between(0, JOINTS.length)] ?? '_';
    return `${this.#common()}${joint}${this.#common()}${this.#random() < 0.3 ? '(' : ''}`;
  }

  #unique(): string {
    return this.uuid().slice(0, this.between(8, 20));
  }
}

function wordOf(rank: number): string {
  let word = '';
  for (let left = rank + 1; left > 0; left = Math.floor(left / SYLLABLES.length)) word += SYLLABLES[left % SYLLABLES.length];
  return word;
}
