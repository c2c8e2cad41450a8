import type { Word } from './line.ts';
import { type Option, readOptions } from './options.ts';
import { type Place, wordObstacle } from './place.ts';
import type { Grammar, Kind } from './programs/program.ts';

/** What the judge knows about the words of a command. */
export interface Known {
  readonly place?: Place | undefined;
  /** Words that the rule's pattern names: a person chose them. */
  readonly spelled?: ReadonlySet<Word>;
  /** More words can follow: what is missing speaks against nothing yet. */
  readonly isStart?: true;
}

interface Walk {
  readonly known: Known;
  readonly grammar: Grammar;
  readonly options: ReadonlyMap<string, Option>;
  readonly words: readonly Word[];
  readonly given: Set<string>;
  readonly plain: Word[];
}

/** Why a wildcard can't cover these arguments; undefined if it can. */
export function argumentsObstacle(words: readonly Word[], grammar: Grammar, known: Known): string | undefined {
  if (grammar.onlyText) return undefined;
  const walk: Walk = { known, grammar, options: optionsOf(grammar), words, given: new Set(), plain: [] };
  const why = walkWords(walk) ?? plainObstacle(walk);
  return why === undefined || grammar.why === undefined ? why : `${why}; ${grammar.why}`;
}

const parsed = new WeakMap<Grammar, ReadonlyMap<string, Option>>();

function optionsOf(grammar: Grammar): ReadonlyMap<string, Option> {
  const known = parsed.get(grammar) ?? (grammar.style === 'words' ? wordOptions(grammar.options ?? '') : readOptions(grammar.options ?? ''));
  parsed.set(grammar, known);
  return known;
}

/** `-name=` reads as one option, not as four letters. */
function wordOptions(text: string): ReadonlyMap<string, Option> {
  const doubled = text.replaceAll(/(^|\s)-(?=[^-\s])/g, '$1--');
  return new Map([...readOptions(doubled)].map(([name, option]) => [name.slice(1), option]));
}

function walkWords(walk: Walk): string | undefined {
  const { words, grammar } = walk;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (couldBeOption(word) && grammar.anyGlob !== true) return `a glob could become an option ("${word.text}")`;
    if (walk.plain.length === grammar.passesOnAfter) return argumentsObstacle(words.slice(at), grammar.after ?? {}, walk.known);
    if (word.text === '--') return grammar.after === undefined ? void walk.plain.push(...words.slice(at + 1)) : passOn(walk, at + 1);
    if (!word.text.startsWith('-') || word.text === '-') {
      walk.plain.push(word);
      continue;
    }
    const read = grammar.style === 'words' ? readWordOption(walk, at) : word.text.startsWith('--') ? readLong(walk, at) : readLetters(walk, at);
    if (typeof read === 'string') return read;
    at += read;
  }
  return undefined;
}

/** A file can be named like an option. */
export const couldBeOption = ({ text, live }: Word): boolean => live.some((at) => '*?['.includes(text[at] ?? '') && (at === 0 || text.startsWith('-')));

const passOn = ({ words, grammar, known }: Walk, from: number): string | undefined => argumentsObstacle(words.slice(from), grammar.after ?? {}, known);

/** How many of the next words belong to the option, or what speaks against it. */
type Read = number | string;

function readLong(walk: Walk, at: number): Read {
  const word = walk.words[at];
  const text = word?.text ?? '';
  const cut = text.indexOf('=');
  return readOption(walk, cut < 0 ? text : text.slice(0, cut), cut < 0 ? undefined : tail(word, cut + 1), at);
}

function readWordOption(walk: Walk, at: number): Read {
  const word = walk.words[at];
  const text = (word?.text ?? '').replace(/^--(?=[^-])/, '-');
  const dropped = (word?.text.length ?? 0) - text.length;
  const cut = text.indexOf('=');
  return readOption(walk, cut < 0 ? text : text.slice(0, cut), cut < 0 ? undefined : tail(word, cut + 1 + dropped), at);
}

function readLetters(walk: Walk, at: number): Read {
  const word = walk.words[at];
  const text = word?.text ?? '';
  if (walk.options.has('-#') && /^-\d+$/.test(text)) return 0;
  for (let letter = 1; letter < text.length; letter += 1) {
    const name = `-${text[letter]}`;
    const takesRest = walk.options.get(name)?.value !== 'none' && letter + 1 < text.length;
    const read = readOption(walk, name, takesRest ? tail(word, letter + 1) : undefined, at);
    if (typeof read === 'string' || takesRest || read > 0) return read;
  }
  return 0;
}

const tail = (word: Word | undefined, from: number): Word => ({
  text: word?.text.slice(from) ?? '',
  live: (word?.live ?? []).filter((at) => at >= from).map((at) => at - from),
});

function readOption({ options, words, given, known }: Walk, name: string, attached: Word | undefined, at: number): Read {
  const option = options.get(name);
  if (option === undefined) return `"${name}" is not one of the options known to be safe`;
  given.add(name);
  if (option.value === 'none') return attached === undefined ? 0 : `"${name}" takes no value`;
  if (attached !== undefined) return kindObstacle(option.kind, attached, known) ?? 0;
  if (option.value === 'attached') return 0;
  const next = words[at + 1];
  // Taken for a value here, an option could be read as an option by another version of the program.
  if (next === undefined && known.isStart) return 0;
  if (next === undefined || (next.text.startsWith('-') && !/^-\d+\w?$/.test(next.text))) return `the value of "${name}" is missing or looks like an option`;
  return kindObstacle(option.kind, next, known) ?? 1;
}

function plainObstacle({ grammar, plain, given, known }: Walk): string | undefined {
  const { args = [], replacesFirst = [], most, needs } = grammar;
  const kinds = replacesFirst.some((name) => given.has(name)) ? args.slice(1) : args;
  const limit = args.length === 0 ? 0 : most;
  if (limit !== undefined && plain.length > limit) return 'it has more arguments than are known to be safe';
  if (limit !== undefined && plain.some(({ live }) => live.length > 0)) return 'a glob could become several arguments';
  if (needs !== undefined && !known.isStart && !needs.some((one) => given.has(one) || plain.some(({ text }) => text === one)))
    return `it has none of ${needs.join(', ')}`;
  return plain.map((word, at) => kindObstacle(kinds[at] ?? kinds.at(-1) ?? 'path', word, known)).find((why) => why !== undefined);
}

function kindObstacle(kind: Kind, word: Word, { place, spelled }: Known): string | undefined {
  if (kind === 'text') return undefined;
  const isSpelled = spelled?.has(word) === true;
  if (kind === 'remote') return isSpelled ? undefined : `"${word.text}" names where code comes from`;
  const why = isSpelled ? undefined : wordObstacle(word, place);
  if (why !== undefined || isOfKind(kind, word.text)) return why;
  return `"${word.text}" is not known to be safe here`;
}

function isOfKind(kind: Exclude<Kind, 'text' | 'remote'>, text: string): boolean {
  if (kind === 'path') return !text.startsWith('@');
  if (kind === 'ref') return !/^[:+]/.test(text);
  if (kind === 'name') return /^[\w.][\w.,/[\]+-]*(:\d+)*$/.test(text);
  return kind.test(text);
}
