import type { RuleBody } from '../../protocol/rule.ts';
import type { Known } from './shell/arguments.ts';
import type { Command, Join, Line, Word } from './shell/line.ts';
import { hiddenIn, obstacleIn, startObstacle } from './shell/obstacle.ts';
import { parse } from './shell/parse.ts';
import type { Reached } from './shell/reachable-commands.ts';
import { fits, type Pieces } from './wildcard.ts';

/** One position of a pattern: a literal word, any one word, a word of a form, or (only at the end) any number of further words. */
type Place =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'form'; readonly pieces: Pieces }
  | { readonly kind: 'rest' };

type Behavior = RuleBody['behavior'];

interface OnePattern {
  /** As written. */
  readonly command: Command;
  readonly name: string;
  readonly places: readonly Place[];
  readonly isExact: boolean;
}

/** A pattern of one command covers that command in any line. A pattern of several covers only a line with exactly these commands and joins. */
export interface CommandPattern {
  readonly commands: readonly OnePattern[];
  readonly joins: readonly Join[];
}

/** Parses a pattern with the grammar of the lines it matches; a string says why it is not a valid pattern. */
export function commandPattern(text: string): CommandPattern | string {
  const { commands, joins, problem } = parse(text);
  if (problem !== undefined) return `The command pattern cannot be parsed: ${problem}.`;
  const patterns = commands.map(onePattern);
  const refused = patterns.find((pattern) => typeof pattern === 'string');
  if (refused !== undefined) return refused;
  return { commands: patterns.filter((pattern) => typeof pattern !== 'string'), joins };
}

function onePattern(command: Command): OnePattern | string {
  const [name, ...others] = command;
  const places = others.map((word, at) => place(word, at === others.length - 1));
  if (places.includes(undefined)) return 'In a command pattern, only * is a wildcard. Put ?, [, ~ and a leading = in quotes, and write folder paths in full.';
  const known = places.filter((found) => found !== undefined);
  return { command, name: name.text, places: known, isExact: known.every((found) => found.kind === 'text') };
}

function place({ text, live }: Word, isLast: boolean): Place | undefined {
  if (live.length === 0) return { kind: 'text', text };
  if (live.some((at) => text[at] !== '*')) return undefined;
  if (text === '*') return { kind: isLast ? 'rest' : 'any' };
  return { kind: 'form', pieces: cutAt(text, live) };
}

function cutAt(text: string, cuts: readonly number[]): Pieces {
  const [first = text.length, ...others] = cuts;
  const ends = [...others, text.length];
  return [text.slice(0, first), ...cuts.map((cut, number) => text.slice(cut + 1, ends[number]))];
}

/** Why an allow rule can never cover a pattern's commands; undefined if it can. */
export function neverAllows({ commands }: CommandPattern): string | undefined {
  const why = commands.map(({ command, isExact }) => hiddenIn(command) ?? (isExact ? undefined : wildObstacle(command)));
  const first = why.find((found) => found !== undefined);
  return first === undefined ? undefined : `An allow rule cannot cover this: ${first}.`;
}

/** The words before the first wildcard can already rule out any wildcard. */
function wildObstacle([name, ...others]: Command): string | undefined {
  const certain = others.findIndex((word) => word.live.length > 0);
  return startObstacle([name, ...others.slice(0, certain < 0 ? undefined : certain)]);
}

/** Whether the pattern allows this command of a fully understood line: the same words, and no wildcard where it could run anything. */
export function allowsCommand(pattern: CommandPattern, command: Command, known: Known): boolean {
  const [one] = pattern.commands;
  return one !== undefined && pattern.commands.length === 1 && allowsOne(one, command, known);
}

/** Whether the pattern matches the whole line. */
export function allowsLine(pattern: CommandPattern, line: Line, known: Known): boolean {
  if (pattern.commands.length !== line.commands.length || pattern.joins.some((join, at) => join !== line.joins[at])) return false;
  return line.commands.every((command, at) => {
    const one = pattern.commands[at];
    return one !== undefined && allowsOne(one, command, known);
  });
}

function allowsOne(one: OnePattern, command: Command, known: Known): boolean {
  const [name, ...words] = command;
  if (name.text !== one.name || !follow(one.places, words, 0, 'allow')) return false;
  return one.isExact || obstacleIn(command, { ...known, spelled: spelledBy(one, words) }) === undefined;
}

/** The words that the pattern names, at least by how they start: not chosen by a wildcard. */
function spelledBy({ places }: OnePattern, words: readonly Word[]): ReadonlySet<Word> {
  return new Set(words.filter((_, at) => isSpelled(places[at])));
}

const isSpelled = (place: Place | undefined): boolean => place?.kind === 'text' || (place?.kind === 'form' && place.pieces[0] !== '');

/** Whether the pattern denies anything that a line could run; for a pattern of several commands, all of them must occur. */
export function deniesAny(pattern: CommandPattern, line: readonly Reached[]): boolean {
  const open = new Set(pattern.commands);
  for (const reached of line) {
    for (const one of open) if (deniesOne(one, reached)) open.delete(one);
    if (open.size === 0) return true;
  }
  return false;
}

function deniesOne(one: OnePattern, { words, starts }: Reached): boolean {
  const named = starts.filter((at) => isNamed(one, words[at]));
  if (named.some((at) => follow(one.places, words, at + 1, 'deny'))) return true;
  // `git -C elsewhere push` is a `git push` too: words after a program's own options are tried as if they came first.
  const optional = named.find((at) => words[at + 1]?.text.startsWith('-'));
  return optional !== undefined && words.some((_, at) => at > optional + 1 && follow(one.places, words, at, 'deny'));
}

/** With any path and in any case: some systems ignore case. */
function isNamed({ name }: OnePattern, word: Word | undefined): boolean {
  const found = word?.text.toLowerCase() ?? '';
  return found === name.toLowerCase() || found.slice(found.lastIndexOf('/') + 1) === name.toLowerCase();
}

function follow(places: readonly Place[], words: readonly Word[], from: number, behavior: Behavior): boolean {
  const hasRest = places.at(-1)?.kind === 'rest';
  const fixed = hasRest ? places.length - 1 : places.length;
  const count = words.length - from;
  if (hasRest ? count < fixed : count !== fixed) return false;
  return places.slice(0, fixed).every((expected, at) => {
    const word = words[from + at];
    return word !== undefined && isAt(expected, word, behavior);
  });
}

function isAt(expected: Place, word: Word, behavior: Behavior): boolean {
  switch (expected.kind) {
    case 'any':
    case 'rest':
      return true;
    case 'text':
      return word.text === expected.text && (behavior === 'deny' || isWritten(word));
    case 'form':
      return fits(expected.pieces, word.text) && (behavior === 'deny' || (isWritten(word) && !goesUp(word.text)));
  }
}

/** Where a shell would still substitute something, only a wildcard position matches. */
const isWritten = ({ live }: Word): boolean => live.length === 0;

/** `src/*` must not cover `src/../../etc`. */
const goesUp = (text: string): boolean => text.split('/').includes('..');
