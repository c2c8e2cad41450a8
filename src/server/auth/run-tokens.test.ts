import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { RunId } from '../../protocol/ids.ts';
import { openRunTokens } from './run-tokens.ts';

const RUN = 'r6f1' as RunId;

test('a token names its run, also after a restart, and no file contains it', () => {
  const folder = temporaryFolder('run-tokens');
  const token = openRunTokens(folder).tokenOf(RUN);
  expect(openRunTokens(folder).runOf(token)).toBe(RUN);
  expect(readFileSync(join(folder, 'run-key'), 'utf8')).not.toContain(token.split('.')[2]);
  expect(statSync(join(folder, 'run-key')).mode & 0o777).toBe(0o600);
});

test('nothing else is a token of a run', () => {
  const tokens = openRunTokens(temporaryFolder('run-tokens'));
  const token = tokens.tokenOf(RUN);
  const ofAnotherServer = openRunTokens(temporaryFolder('run-tokens')).tokenOf(RUN);
  for (const text of [
    '',
    'run.',
    token.slice(0, -1),
    `${token}x`,
    token.replace('r6f1', 'r6f2'),
    ofAnotherServer,
    `run.${RUN}.${'A'.repeat(43)}`,
    `run.a/b.${'A'.repeat(43)}`,
  ]) {
    expect(tokens.runOf(text), text).toBeUndefined();
  }
});

test('a damaged key is reported with what to do', () => {
  const folder = temporaryFolder('run-tokens');
  writeFileSync(join(folder, 'run-key'), 'half');
  expect(() => openRunTokens(folder).tokenOf(RUN)).toThrow(/is damaged\. Delete it and restart the server/);
});
