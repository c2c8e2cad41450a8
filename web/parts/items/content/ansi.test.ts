import { expect, test } from 'vitest';
import { ansiLines, lineText } from './ansi.ts';

const ESC = '\u001b';
const textOf = (output: string): string => ansiLines(output).map(lineText).join('\n');

const shown = [
  ['plain lines as they are', 'one\n  two\n', 'one\n  two'],
  ['the ends of lines of another system', 'one\r\ntwo\r\n', 'one\ntwo'],
  ['what a progress bar was left at', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['what stays beyond a shorter line that was written over', 'abcdef\rxy', 'xycdef'],
  ['nothing of what was erased', `building…\r${ESC}[Kbuilt`, 'built'],
  ['nothing of a line that was erased whole', `building…${ESC}[2K\rok`, 'ok'],
  ['what was corrected with a step back', 'teh\b\bhe', 'the'],
  ['no movements of the cursor and no modes', `${ESC}[2J${ESC}[H${ESC}[?25lhello${ESC}[3A`, 'hello'],
  ['no titles and only the words of links', `${ESC}]0;evil title\u0007${ESC}]8;;https://example.com${ESC}\\words${ESC}]8;;${ESC}\\`, 'words'],
  ['no two-sign escapes and no bells', `${ESC}(B${ESC}7ding\u0007 ${ESC}c`, 'ding '],
  ['nothing of an escape that was cut off at the end', `words${ESC}[38;5`, 'words'],
  ['what follows an order that is left open', `before${ESC}]0;after it`, 'before0;after it'],
] as const;
for (const [what, output, expected] of shown) test(`an output shows ${what}`, () => expect(textOf(output)).toBe(expected));

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
  test(`the order ${code} ${look === '' ? 'changes nothing' : `draws ${look}`}`, () => expect(ansiLines(`${ESC}[${code}mx`)).toEqual([[{ text: 'x', look }]]));
}

test('a colour holds until it is ended, also over the end of a line', () => {
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
