import { expect, test } from 'vitest';
import type { Subject } from './subject.ts';
import { commandField, undescribedArguments } from './subject-fields.ts';

const fields: readonly (readonly [string, Subject, Record<string, unknown>, string | undefined])[] = [
  ['named by the subject', { kind: 'command', command: 'x', field: 'command' }, { description: 'x', command: 'x' }, 'command'],
  ['the only one with that text', { kind: 'command', command: 'x' }, { note: 'y', cmd: 'x' }, 'cmd'],
  ['unknown when two have that text', { kind: 'command', command: 'x' }, { description: 'x', command: 'x' }, undefined],
  ['unknown when the named one has another value', { kind: 'command', command: 'x', field: 'command' }, { command: 'y', other: 'x' }, undefined],
  ['unset for anything but a command', { kind: 'other' }, { command: 'x' }, undefined],
];
for (const [name, subject, input, expected] of fields) {
  test(`the argument that holds the command is ${name}`, () => expect(commandField(subject, input)).toBe(expected));
}

const rests: readonly (readonly [string, Subject, Record<string, unknown>, Record<string, unknown>])[] = [
  ['a command', { kind: 'command', command: 'x', field: 'command' }, { command: 'x', isUnsafe: true, timeout: 5 }, { isUnsafe: true, timeout: 5 }],
  ['an address', { kind: 'web', url: 'https://a.example' }, { url: 'https://a.example', prompt: 'send it' }, { prompt: 'send it' }],
  ['a folder to search in', { kind: 'read', paths: ['.'] }, { pattern: 'secret' }, { pattern: 'secret' }],
  ['a folder with the same name as the search text', { kind: 'read', paths: ['.'] }, { path: '.', pattern: '.' }, { path: '.', pattern: '.' }],
  ['something unknown', { kind: 'other' }, { n: 1 }, { n: 1 }],
];
for (const [name, subject, input, expected] of rests) {
  test(`every argument besides ${name} is listed`, () => expect(undescribedArguments(subject, input)).toEqual(expected));
}
