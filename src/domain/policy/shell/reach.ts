import type { Command, Line, Word } from './line.ts';
import { isWrapper, programOf } from './obstacle.ts';
import { isAssignment, isKeyword, parse } from './parse.ts';

/** A place in a command at which a denied one may begin. */
export interface Reached {
  readonly name: string;
  readonly words: readonly Word[];
  /** Where the words after the name begin. */
  readonly from: number;
}

/** Every command that a line could come to run, as far as can be seen: rather one too many, because this is for denying. */
export function* reachedBy(text: string): Generator<Reached> {
  for (const line of linesOf(text)) {
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
  yield { name: text, words, from: 1 };
  if (!isWrapper(programOf(text)) && programOf(text) !== 'find' && !isKeyword(text) && !isAssignment(text)) return;
  for (const [at, word] of words.entries()) {
    if (at === 0) continue;
    yield { name: word.text, words, from: at + 1 };
    // Quotes were taken away, so what is inside is shorter than what it came from: this ends.
    if (/[\s;&|<>()$`'"\\]/.test(word.text)) yield* reachedBy(word.text);
  }
}
