import { invisibleIn } from './invisible.ts';
import type { Command, Line } from './line.ts';
import { readPlain } from './read-plain.ts';
import { readDouble } from './read-quoted.ts';
import { closeCommand, leave, lineOf, object, type Scanner, scannerOf } from './scanner.ts';

/** Parsing must stay quick, and a person must be able to judge a line: no rule allows a longer one. */
export const LINE_CHARS_MAX = 40 * 1024;

/**
 * Parses a command line like bash and zsh. Either it is certain what both would do with it, or there is a problem: nothing is guessed.
 * Reading continues after a problem, so that a search for denied commands sees as much as possible.
 */
export function parse(text: string): Line {
  if (text.length > LINE_CHARS_MAX) return { ...parse(text.slice(0, LINE_CHARS_MAX)), problem: `it is longer than ${LINE_CHARS_MAX} characters` };
  const scanner = scannerOf(text);
  const invisible = invisibleIn(text);
  if (invisible !== undefined) object(scanner, invisible);
  while (scanner.at < text.length) {
    if (scanner.isDouble) readDouble(scanner);
    else readPlain(scanner);
  }
  finish(scanner);
  return lineOf(scanner);
}

function finish(scanner: Scanner): void {
  if (scanner.isDouble || scanner.frames.length > 0) object(scanner, 'a quote or a bracket is not closed');
  while (scanner.frames.length > 0) leave(scanner);
  closeCommand(scanner);
  const { joins, commands } = scanner;
  if (commands.length === 0) object(scanner, 'there is no command in it');
  if (joins.length === commands.length && joins.length > 0 && joins.pop() !== ';') object(scanner, 'it ends where another command is expected');
  for (const command of commands) checkName(scanner, command);
}

const KEYWORDS = new Set(
  'if then else elif fi case esac for foreach select while until repeat do done end in function time coproc { } [[ ]] ! always nocorrect noglob'.split(' '),
);

export const isKeyword = (text: string): boolean => KEYWORDS.has(text);
export const isAssignment = (text: string): boolean => /^[A-Za-z_]\w*(\[.*\])?\+?=/.test(text);

function checkName(scanner: Scanner, [name]: Command): void {
  if (name.live.length > 0) object(scanner, 'the program name is not literal (glob, ~ or =)');
  if (isKeyword(name.text)) object(scanner, `"${name.text}" is a word of the shell's own grammar`);
  if (isAssignment(name.text)) object(scanner, 'it sets a variable for its command (X=…)');
  if (name.text === '' || /^[-%]/.test(name.text)) object(scanner, `"${name.text}" is not the name of a program`);
}
