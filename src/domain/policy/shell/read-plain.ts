import { backtick, dollar, double, escaped, history, single } from './read-quoted.ts';
import { add, closeCommand, endCommand, endWord, enter, leave, object, openWord, type Scanner } from './scanner.ts';

/** One step outside quotes. */
export function readPlain(scanner: Scanner): void {
  const char = scanner.text[scanner.at] ?? '';
  const read = PLAIN.get(char);
  if (read !== undefined) return read(scanner, char);
  add(scanner, char);
}

type Reader = (scanner: Scanner, char: string) => void;

const PLAIN: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [' ', blank],
  ['\t', blank],
  ['\n', lineBreak],
  ['\r', lineBreak],
  ["'", single],
  ['"', double],
  ['\\', escaped],
  ['$', dollar],
  ['`', backtick],
  [';', semicolon],
  ['&', ampersand],
  ['|', bar],
  ['(', open],
  [')', close],
  ['<', redirection],
  ['>', redirection],
  ['#', comment],
  ['!', history],
  ['{', brace],
  ['~', tilde],
  ['=', equals],
  ['*', glob],
  ['?', glob],
  ['[', glob],
]);

function blank(scanner: Scanner): void {
  endWord(scanner);
  scanner.at += 1;
}

function lineBreak(scanner: Scanner): void {
  object(scanner, 'it has more than one line');
  closeCommand(scanner);
  scanner.at += 1;
}

function semicolon(scanner: Scanner): void {
  scanner.at += 1;
  endCommand(scanner, ';');
}

function ampersand(scanner: Scanner): void {
  const next = scanner.text[scanner.at + 1];
  if (next === '>') return redirection(scanner);
  scanner.at += next === '&' ? 2 : 1;
  if (next !== '&') object(scanner, 'it leaves a command running in the background (&)');
  endCommand(scanner, next === '&' ? '&&' : ';');
}

function bar(scanner: Scanner): void {
  const next = scanner.text[scanner.at + 1];
  scanner.at += next === '|' || next === '&' ? 2 : 1;
  if (next === '&') object(scanner, 'it has a redirection (|&)');
  endCommand(scanner, next === '|' ? '||' : '|');
}

function open(scanner: Scanner): void {
  object(scanner, 'it has round brackets: a subshell, a function or a pattern');
  // Text after the brackets continues an argument only if they were part of one; after `f()` a command starts.
  if (!/[<>]/.test(scanner.text[scanner.at - 1] ?? '')) closeCommand(scanner);
  scanner.at += 1;
  enter(scanner, ')');
}

function close(scanner: Scanner): void {
  object(scanner, 'it has round brackets: a subshell, a function or a pattern');
  scanner.at += 1;
  leave(scanner);
}

/** A redirection and its target are not arguments of the command. */
function redirection(scanner: Scanner): void {
  object(scanner, 'it has a redirection (<, >)');
  if (/^\d+$/.test(scanner.word?.text ?? '') && !scanner.word?.isQuoted) scanner.word = undefined;
  endWord(scanner);
  const signs = /^(&?[<>]+[&|-]?)/.exec(scanner.text.slice(scanner.at, scanner.at + 8))?.[0] ?? '>';
  scanner.at += signs.length;
  scanner.dropsNext = scanner.text[scanner.at] !== '(';
}

function comment(scanner: Scanner, char: string): void {
  if (scanner.word !== undefined) return add(scanner, char);
  const end = scanner.text.slice(scanner.at).search(/[\n\r]/);
  const text = scanner.text.slice(scanner.at, end < 0 ? undefined : scanner.at + end);
  // A shell with comments turned off would run what is in one.
  if (/[;&|<>()$`\\'"!]/.test(text)) object(scanner, 'its comment (#) could hide something');
  scanner.at += text.length;
}

function brace(scanner: Scanner): void {
  const word = openWord(scanner);
  if (word.brace < 0) word.brace = word.text.length;
  add(scanner, '{');
}

/** A tilde can become a home folder after `=` and `:` too. */
function tilde(scanner: Scanner): void {
  const before = openWord(scanner).text.at(-1) ?? '';
  add(scanner, '~', '=:'.includes(before));
}

/** zsh replaces `=name` with the program's path. */
function equals(scanner: Scanner): void {
  const { text, isQuoted } = openWord(scanner);
  add(scanner, '=', text === '' && !isQuoted);
}

function glob(scanner: Scanner, char: string): void {
  add(scanner, char, true);
}
