import { seeded } from '../seeded.ts';

/** How many words there are beside those that occur once. The first are common, as in any language. */
const VOCABULARY = 60_000;
const SYLLABLES = ['ka', 'ro', 'mi', 'ten', 'sol', 'ver', 'ada', 'lin', 'pre', 'ost', 'ume', 'fir', 'gan', 'hel', 'ix', 'jor', 'qua', 'bri', 'ze', 'dun'];
const JOINTS = ['_', '.', '', '-', '/', '::'];

/** Words as they come in the work of agents: prose, identifiers, paths, and now and then something that is nowhere else. */
export class Words {
  readonly #random: () => number;
  readonly #vocabulary: readonly string[];

  constructor(seed: number) {
    this.#random = seeded(seed);
    this.#vocabulary = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));
  }

  next(): string {
    const dice = this.#random();
    if (dice < 0.03) return this.#unique();
    if (dice < 0.12) return this.#identifier();
    return this.#common();
  }

  /** About so many characters, in lines. */
  text(chars: number): string {
    let text = '';
    for (let line = 0; text.length < chars; ) {
      const word = this.next();
      line += word.length + 1;
      text += line > 90 ? `${word}\n` : `${word} `;
      if (line > 90) line = 0;
    }
    return text.trimEnd();
  }

  path(): string {
    return `src/${this.#common()}/${this.#common()}_${this.#common()}.ts`;
  }

  /** A whole number from `from` up to, but not with, `to`. */
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

  /** The word of a rank: 0 is the most common. */
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
