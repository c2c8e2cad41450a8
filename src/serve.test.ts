import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

const FAULTS: readonly (readonly [what: string, file: string, content: string, says: RegExp])[] = [
  ['an empty token', 'data/token', '\n', /data\/token is empty\. Delete it/],
  ['a damaged push key', 'data/push-key.json', '{bad', /push-key\.json is not a key\. Delete it/],
  ['a journal that is no database', 'data/journal.db', 'x'.repeat(8192), /journal\.db is damaged .* "signalbox doctor --rebuild"/],
  ['a file in place of the data folder', 'data', '', /The data folder .*data can't be used: .* --data/],
];

test.each(FAULTS)('[R825] %s: the server says which file it is and what to do, and ends', (_what, file, content, says) => {
  const home = temporaryFolder('start');
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), content);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'src/main.ts', 'serve', '--port', '0', '--no-open', '--data', join(home, 'data')],
    { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home, SIGNALBOX_LOG: 'silent' } },
  );
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(status).toBe(1);
});
