import type { Command, Join, Line, Word } from './line.ts';

interface OpenWord {
  text: string;
  readonly live: number[];
  isQuoted: boolean;
  brace: number;
}

/** What was being read when a substitution or a subshell started; reading resumes there when that ends. */
interface Frame {
  readonly words: Word[];
  readonly word: OpenWord | undefined;
  readonly isDouble: boolean;
  readonly closes: ')' | '`';
}

/** The position in a line, and what was found so far. */
export interface Scanner {
  readonly text: string;
  at: number;
  isDouble: boolean;
  /** The next word is the target of a redirection, not an argument. */
  dropsNext: boolean;
  word: OpenWord | undefined;
  words: Word[];
  readonly frames: Frame[];
  readonly commands: Command[];
  readonly joins: Join[];
  problem: string | undefined;
}

export function scannerOf(text: string): Scanner {
  return {
    text,
    at: 0,
    isDouble: false,
    dropsNext: false,
    word: undefined,
    words: [],
    frames: [],
    commands: [],
    joins: [],
    problem: undefined,
  };
}

/** Only the first problem is reported. Reading continues, because a denied command can come later. */
export function object(scanner: Scanner, problem: string): void {
  scanner.problem ??= problem;
}

export function openWord(scanner: Scanner): OpenWord {
  scanner.word ??= { text: '', live: [], isQuoted: false, brace: -1 };
  return scanner.word;
}

export function add(scanner: Scanner, char: string, isLive = false): void {
  const word = openWord(scanner);
  if (isLive) word.live.push(word.text.length);
  word.text += char;
  scanner.at += 1;
}

export function endWord(scanner: Scanner): void {
  const { word } = scanner;
  scanner.word = undefined;
  if (word === undefined) return;
  // Only a brace with a comma or two dots is expanded: `HEAD@{1}` and `{}` stay unchanged.
  if (word.brace >= 0 && /,|\.\./.test(word.text.slice(word.brace))) object(scanner, 'it has a brace expansion ({a,b})');
  if (!scanner.dropsNext) scanner.words.push({ text: word.text, live: word.live });
  scanner.dropsNext = false;
}

/** Ends a command where another can follow. */
export function endCommand(scanner: Scanner, join: Join): void {
  if (closeCommand(scanner)) scanner.joins.push(join);
  else object(scanner, `there is nothing before "${join}"`);
}

/** Records the words read so far as a command, if there are any. */
export function closeCommand(scanner: Scanner): boolean {
  endWord(scanner);
  const [name, ...others] = scanner.words;
  scanner.words = [];
  scanner.dropsNext = false;
  if (name === undefined) return false;
  scanner.commands.push([name, ...others]);
  return true;
}

export function enter(scanner: Scanner, closes: ')' | '`'): void {
  const { words, word, isDouble } = scanner;
  scanner.frames.push({ words, word, isDouble, closes });
  Object.assign(scanner, { words: [], word: undefined, isDouble: false, dropsNext: false });
}

export function leave(scanner: Scanner): void {
  closeCommand(scanner);
  const frame = scanner.frames.pop();
  if (frame !== undefined) Object.assign(scanner, { words: frame.words, word: frame.word, isDouble: frame.isDouble });
}

export function lineOf(scanner: Scanner): Line {
  return { commands: scanner.commands, joins: scanner.joins, problem: scanner.problem };
}
