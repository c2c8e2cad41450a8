import { expect, test } from 'vitest';
import { keyboardHeight } from './keyboard-height.ts';

const cases = [
  ['nothing covers it', 844, { height: 844, offsetTop: 0, scale: 1 }, 0],
  ['a keyboard covers part of it', 844, { height: 508, offsetTop: 0, scale: 1 }, 336],
  ['the browser has scrolled up above the keyboard', 844, { height: 508, offsetTop: 36, scale: 1 }, 300],
  ['a browser bar appeared', 844, { height: 790, offsetTop: 0, scale: 1 }, 0],
  ['somebody zoomed in', 844, { height: 422, offsetTop: 0, scale: 2 }, 0],
] as const;
for (const [name, pageHeight, seen, expected] of cases)
  test(`the page leaves ${expected} px free when ${name}`, () => expect(keyboardHeight(pageHeight, seen)).toBe(expected));
