import type { Command, Line, Word } from './line.ts';
import { isWrapper, programOf } from './obstacle.ts';
import { isAssignment, isKeyword, LINE_CHARS_MAX, parse } from './parse.ts';

/** A command, and every place in it at which another one may begin. */
export interface Reached {
  readonly words: readonly Word[];
  readonly starts: readonly number[];
}

/** Every command that a line could come to run, as far as can be seen: rather one too many, because this is for denying. */
export function* reachedBy(text: string): Generator<Reached> {
  for (const line of linesOf(text.slice(0, LINE_CHARS_MAX))) {
    for (const command of line.commands) yield* reachedIn(command);
  }
}

/** A quote mark in a here-document would hide the lines after it: every line is also read by itself. */
function linesOf(text: string): Line[] {
  const lines = text.split(/[\n\r]+/);
  return lines.length === 1 ? [parse(text)] : [text, ...lines].map(parse);
}

function* reachedIn(words: Command): Generator<Reached> {
  const [{ text }] = words;
  const leadsOn = isWrapper(programOf(text)) || programOf(text) === 'find' || isKeyword(text) || isAssignment(text);
  yield { words, starts: leadsOn ? [...words.keys()] : [0] };
  if (!leadsOn) return;
  // Quotes were taken away, so what is inside is shorter than what it came from: this ends.
  for (const word of words.slice(1)) if (/[\s;&|<>()$`'"\\]/.test(word.text)) yield* reachedBy(word.text);
}
