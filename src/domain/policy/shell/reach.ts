import type { Command, Line, Word } from './line.ts';
import { isWrapper, programOf } from './obstacle.ts';
import { isAssignment, isKeyword, parse } from './parse.ts';

/** A place in a command at which a denied one may begin: a name, and the words after it from a number on. */
export interface Reached {
  readonly name: string;
  readonly words: readonly Word[];
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
  yield* startsAt(words, 0);
  const [{ text }] = words;
  if (!isWrapper(programOf(text)) && programOf(text) !== 'find' && !isKeyword(text) && !isAssignment(text)) return;
  for (const [at, word] of words.entries()) {
    if (at > 0) yield* startsAt(words, at);
    // Quotes were taken away, so what is inside is shorter than what it came from: this ends.
    if (at > 0 && /[\s;&|<>()$`'"\\]/.test(word.text) && word.text !== text) yield* reachedBy(word.text);
  }
}

/** `git -C elsewhere push` is a `git push` too: what stands behind a program's own options is tried as if it came first. */
function* startsAt(words: readonly Word[], at: number): Generator<Reached> {
  const name = words[at]?.text ?? '';
  yield { name, words, from: at + 1 };
  if (!words[at + 1]?.text.startsWith('-')) return;
  for (let from = at + 2; from < words.length; from += 1) yield { name, words, from };
}
