import { expect, test } from 'vitest';
import { ansiLines, lineText } from './ansi.ts';

const ESC = '\u001b';
const textOf = (output: string): string => ansiLines(output).map(lineText).join('\n');

const shown = [
  ['plain lines unchanged', 'one\n  two\n', 'one\n  two'],
  ['lines with Windows line ends', 'one\r\ntwo\r\n', 'one\ntwo'],
  ['the final state of a progress bar', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['the rest of a longer line after a shorter one that overwrote its start', 'abcdef\rxy', 'xycdef'],
  ['no erased text', `building…\r${ESC}[Kbuilt`, 'built'],
  ['nothing from a fully erased line', `building…${ESC}[2K\rok`, 'ok'],
  ['text corrected with backspaces', 'teh\b\bhe', 'the'],
  ['no cursor movements and no modes', `${ESC}[2J${ESC}[H${ESC}[?25lhello${ESC}[3A`, 'hello'],
  ['no titles and only the text of links', `${ESC}]0;evil title\u0007${ESC}]8;;https://example.com${ESC}\\words${ESC}]8;;${ESC}\\`, 'words'],
  ['no two-character escapes and no bells', `${ESC}(B${ESC}7ding\u0007 ${ESC}c`, 'ding '],
  ['nothing from an escape sequence cut off at the end', `words${ESC}[38;5`, 'words'],
  ['the text after an unterminated sequence', `before${ESC}]0;after it`, 'before0;after it'],
] as const;
for (const [what, output, expected] of shown) test(`output shows ${what}`, () => expect(textOf(output)).toBe(expected));

const looks = [
  ['31', 'ansi-red'],
  ['1;92', 'ansi-bold ansi-green'],
  ['38;5;196', 'ansi-red'],
  ['38;5;4', 'ansi-blue'],
  ['38;5;250', 'ansi-white'],
  ['38;2;30;200;210', 'ansi-cyan'],
  ['38:2:250:240:20', 'ansi-yellow'],
  ['97;41', 'ansi-white ansi-on-red'],
  ['7;32', 'ansi-on-green'],
  ['4;9;2;3', 'ansi-dim ansi-italic ansi-underline ansi-strike'],
  ['8', ''],
  ['31;0', ''],
] as const;
for (const [code, look] of looks) {
  test(`the sequence ${code} ${look === '' ? 'changes nothing' : `draws ${look}`}`, () =>
    expect(ansiLines(`${ESC}[${code}mx`)).toEqual([[{ text: 'x', look }]]));
}

test('a color lasts until it ends, across line ends too', () => {
  expect(ansiLines(`a${ESC}[31mb\nc${ESC}[39md`)).toEqual([
    [
      { text: 'a', look: '' },
      { text: 'b', look: 'ansi-red' },
    ],
    [
      { text: 'c', look: 'ansi-red' },
      { text: 'd', look: '' },
    ],
  ]);
});
