import type { RuleBody } from '../../protocol/rule.ts';
import type { Command, Join, Line, Word } from './shell/line.ts';
import { hiddenIn, obstacleIn, programOf, wrapperObstacle } from './shell/obstacle.ts';
import { parse } from './shell/parse.ts';
import type { Reached } from './shell/reach.ts';
import { fits, type Pieces } from './wildcard.ts';

/** One place of a pattern: these very words, any one word, a word of a form, or (at the end only) any further words and also none. */
type Place =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'form'; readonly pieces: Pieces }
  | { readonly kind: 'rest' };

type Behavior = RuleBody['behavior'];

interface OnePattern {
  /** As it was written. */
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

/** Reads a pattern by the grammar of the lines that it is to match; a text says in words why it cannot be one. */
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

/** Why an allow rule can never say anything about a pattern's commands; undefined when it can. */
export function neverAllows({ commands }: CommandPattern): string | undefined {
  const why = commands.map(({ command, isExact }) => hiddenIn(command) ?? (isExact ? undefined : wildObstacle(command)));
  const first = why.find((found) => found !== undefined);
  return first === undefined ? undefined : `An allow rule cannot cover this: ${first}.`;
}

/** The words before the first wildcard may already say that none can stand beside them; of sed's nothing is known before its script is. */
function wildObstacle([name, ...others]: Command): string | undefined {
  if (programOf(name.text) === 'sed') return undefined;
  const certain = others.findIndex((word) => word.live.length > 0);
  return certain === 0 ? wrapperObstacle(name) : obstacleIn([name, ...others.slice(0, certain < 0 ? undefined : certain)]);
}

/** Whether a line that is understood wholly has this command allowed: the same words, and no wildcard for what could run anything. */
export function allowsCommand(pattern: CommandPattern, command: Command): boolean {
  const [one] = pattern.commands;
  return one !== undefined && pattern.commands.length === 1 && allowsOne(one, command);
}

/** Whether the whole line is the pattern's own. */
export function allowsLine(pattern: CommandPattern, line: Line): boolean {
  if (pattern.commands.length !== line.commands.length || pattern.joins.some((join, at) => join !== line.joins[at])) return false;
  return line.commands.every((command, at) => {
    const one = pattern.commands[at];
    return one !== undefined && allowsOne(one, command);
  });
}

function allowsOne(one: OnePattern, command: Command): boolean {
  const [name, ...words] = command;
  if (name.text !== one.name || !follow(one.places, words, 0, 'allow')) return false;
  return one.isExact || obstacleIn(command) === undefined;
}

/** Whether anything that a line could run is denied by the pattern; of a pattern of several commands each must be there. */
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
  // `git -C elsewhere push` is a `git push` too: what stands behind a program's own options is tried as if it came first.
  const optional = named.find((at) => words[at + 1]?.text.startsWith('-'));
  return optional !== undefined && words.some((_, at) => at > optional + 1 && follow(one.places, words, at, 'deny'));
}

/** By whichever path, and in whichever letters: some systems do not tell them apart. */
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

/** Where a shell would still put something else, only a place for any word fits. */
const isWritten = ({ live }: Word): boolean => live.length === 0;

/** `src/*` must not cover `src/../../etc`. */
const goesUp = (text: string): boolean => text.split('/').includes('..');
