import type { Command, Line, Word } from './line.ts';
import { isWrapper, programOf } from './obstacle.ts';
import { isAssignment, isKeyword, LINE_CHARS_MAX, parse } from './parse.ts';

/** A command, and every position in it where another can start. */
export interface Reached {
  readonly words: readonly Word[];
  readonly starts: readonly number[];
}

/** Every command that a line could run, as far as visible: better one too many, because this is for denying. */
export function* reachedBy(text: string): Generator<Reached> {
  for (const line of linesOf(text.slice(0, LINE_CHARS_MAX))) {
    for (const command of line.commands) yield* reachedIn(command);
  }
}

/** A quote mark in a here-document would hide the lines after it: every line is also parsed on its own. */
function linesOf(text: string): Line[] {
  const lines = text.split(/[\n\r]+/);
  return lines.length === 1 ? [parse(text)] : [text, ...lines].map(parse);
}

function* reachedIn(words: Command): Generator<Reached> {
  const [{ text }] = words;
  const runsOthers = isWrapper(programOf(text)) || programOf(text) === 'find' || isKeyword(text) || isAssignment(text);
  yield { words, starts: runsOthers ? [...words.keys()] : [0] };
  if (!runsOthers) return;
  // The quotes are removed, so the inner text is shorter than the outer: this ends.
  for (const word of words.slice(1)) if (/[\s;&|<>()$`'"\\]/.test(word.text)) yield* reachedBy(word.text);
}
