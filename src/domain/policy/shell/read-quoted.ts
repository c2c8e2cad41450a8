import { add, enter, leave, object, openWord, type Scanner } from './scanner.ts';

export function single(scanner: Scanner): void {
  const word = openWord(scanner);
  const end = scanner.text.indexOf("'", scanner.at + 1);
  if (end < 0) object(scanner, 'a quote is not closed');
  const inside = scanner.text.slice(scanner.at + 1, end < 0 ? undefined : end);
  if (/[\n\r]/.test(inside)) object(scanner, 'it has more than one line');
  word.text += inside;
  word.isQuoted = true;
  scanner.at = end < 0 ? scanner.text.length : end + 1;
}

export function double(scanner: Scanner): void {
  openWord(scanner).isQuoted = true;
  scanner.isDouble = true;
  scanner.at += 1;
}

/** One step inside double quotes. */
export function readDouble(scanner: Scanner): void {
  const char = scanner.text[scanner.at] ?? '';
  const next = scanner.text[scanner.at + 1] ?? '';
  if (char === '"') {
    scanner.isDouble = false;
    scanner.at += 1;
    return;
  }
  if (char === '\\' && next !== '' && '$`"\\\n'.includes(next)) return escaped(scanner);
  if (char === '$') return dollar(scanner);
  if (char === '`') return backtick(scanner);
  if (char === '!') return history(scanner);
  if (char === '\n' || char === '\r') object(scanner, 'it has more than one line');
  add(scanner, char);
}

export function escaped(scanner: Scanner): void {
  const next = scanner.text[scanner.at + 1];
  scanner.at += 1;
  if (next === undefined) return object(scanner, 'it ends in a backslash');
  if (next === '\n' || next === '\r') object(scanner, 'it has more than one line');
  // A backslash before a line break removes both: the word continues.
  if (next === '\n') scanner.at += 1;
  else add(scanner, next);
  if (scanner.word !== undefined) scanner.word.isQuoted = true;
}

export function dollar(scanner: Scanner): void {
  const next = scanner.text[scanner.at + 1] ?? '';
  const isLonely = next === '' || next === ' ' || (scanner.isDouble && next === '"');
  if (!isLonely) object(scanner, next === '(' ? 'it runs a nested command ($(…))' : 'it has a variable or an expansion ($…)');
  add(scanner, '$');
  if (next !== '(') return;
  scanner.at += 1;
  enter(scanner, ')');
}

export function backtick(scanner: Scanner): void {
  object(scanner, 'it runs a nested command (`…`)');
  scanner.at += 1;
  if (scanner.frames.at(-1)?.closes === '`') leave(scanner);
  else enter(scanner, '`');
}

/** `!` recalls an earlier command if history expansion is on. */
export function history(scanner: Scanner): void {
  const next = scanner.text[scanner.at + 1] ?? ' ';
  if (!' \t="'.includes(next)) object(scanner, 'it has a "!" that could recall an earlier command');
  add(scanner, '!');
}
