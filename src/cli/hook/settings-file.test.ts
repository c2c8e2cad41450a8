import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeCode } from '../../agents/claude-code/index.ts';
import { insertEntry, JsonProblem, readJson, removeEntries } from './json-text.ts';
import { hasEntries, install, remove, type Wanted } from './settings-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-settings-'));
  file = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function wanted(more: Partial<Wanted> = {}): Wanted {
  const { hooks, id, title } = claudeCode;
  if (hooks === undefined) throw new Error('no hooks');
  return { agent: { id, title, hooks }, file, recordFile: join(folder, 'record.json'), command: (does) => `exec sh '/x/signalbox-hook' ${does}`, ...more };
}

const SETTINGS = {
  'with hooks of the person, unknown keys and CRLF':
    '{\r\n\t"zzz" : [1,2 , 3],\r\n\t"hooks": {\r\n\t\t"Stop": [ {"hooks":[{"type":"command","command":"say done"}]} ],\r\n\t\t"PreToolUse": []\r\n\t},\r\n\t"x": "\\u00e9"\r\n}',
  'on one line': '{"hooks":{},"permissions":{"allow":["Bash(ls)"]}}',
  empty: '{}',
  'empty, with blanks and a byte order mark': '\uFEFF{ }\n\n',
  'with other settings only': '{\n    "model": "opus"\n}\n',
};

for (const [name, text] of Object.entries(SETTINGS)) {
  test(`[R533] settings ${name}: every other byte stays, a second install changes nothing, and remove restores the file`, () => {
    writeFileSync(file, text);
    expect(install(wanted())).toBe(true);
    const installed = readFileSync(file, 'utf8');
    expect(() => JSON.parse(installed.replace(/^\uFEFF/, ''))).not.toThrow();
    expect(installed.split('signalbox-hook')).toHaveLength(8);
    if (text.includes('\r\n')) expect(installed.replaceAll('\r\n', '')).not.toContain('\n');
    expect(install(wanted())).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(installed);
    expect(remove(wanted())).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(remove(wanted())).toBe(false);
  });
}

test('[R533] a file that did not exist is gone again; another installation replaces the entries of the one before', () => {
  expect(install(wanted())).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(install(wanted({ command: (does) => `exec sh '/y/signalbox-hook' ${does}` }))).toBe(true);
  expect(readFileSync(file, 'utf8')).not.toContain('/x/');
  expect(remove(wanted())).toBe(true);
  expect(existsSync(file)).toBe(false);
});

test('[R533] if the agent has rewritten the file since, remove takes out our entries and keeps everything else', () => {
  writeFileSync(file, SETTINGS['with hooks of the person, unknown keys and CRLF']);
  install(wanted());
  const rewritten = { ...JSON.parse(readFileSync(file, 'utf8')), theme: 'dark' };
  writeFileSync(file, JSON.stringify(rewritten, null, 2));
  remove(wanted());
  expect(hasEntries(file)).toBe(false);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    zzz: [1, 2, 3],
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }], PreToolUse: [] },
    x: 'é',
    theme: 'dark',
  });
});

const REFUSED = [
  ['invalid JSON', '{\n  "a": 1,\n  oops\n}', 'line 3'],
  ['hooks that are no object', '{\n  "hooks": 3\n}', 'line 2'],
  ['an event that is no list', '{\n  "hooks": {\n    "Stop": {}\n  }\n}', 'line 3'],
  ['something that is no object', '[]', 'line 1'],
] as const;
for (const [name, text, line] of REFUSED) {
  test(`[R534] refused with the line, changing nothing: ${name}`, () => {
    writeFileSync(file, text);
    expect(() => install(wanted())).toThrow(new RegExp(`${line}.*Nothing was changed`));
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
}

test('[R534] a link and a read-only file are refused, changing nothing', () => {
  const target = join(folder, 'target.json');
  writeFileSync(target, '{}');
  symlinkSync(target, file);
  expect(() => install(wanted())).toThrow(/is a link/);
  expect(readFileSync(target, 'utf8')).toBe('{}');
  rmSync(file);
  writeFileSync(file, '{}');
  chmodSync(file, 0o400);
  expect(() => install(wanted())).toThrow(/read-only/);
  expect(readFileSync(file, 'utf8')).toBe('{}');
});

test('any JSON is read as JSON.parse reads it, and what is inserted can be cut out again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2, '\t'), (settings, indent) => {
      const text = JSON.stringify({ ...settings, group: { list: [1] } }, null, indent);
      const { text: inserted, piece } = insertEntry(text, ['group', 'list'], { mine: true });
      expect(JSON.parse(inserted)).toEqual({ ...JSON.parse(text), group: { list: [1, { mine: true }] } });
      expect(inserted.replace(piece, () => '')).toBe(text);
      expect(JSON.parse(removeEntries(inserted, 'group', (entry) => entry.includes('"mine"')))).toEqual(JSON.parse(text));
    }),
  );
  for (const wrong of ['', '{', '{"a":}', '[1,]', '{"a":1}}', '"\\x"', '01', 'nul']) expect(() => readJson(wrong)).toThrow(JsonProblem);
});
