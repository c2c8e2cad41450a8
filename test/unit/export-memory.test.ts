import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const FIXTURE = join(import.meta.dirname, '../fixtures/exports-a-long-session.mjs');

test('a session of 50,000 events and 160 MB of text is exported by a process with a heap limit of 64 MB', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=64', '--import', 'tsx', FIXTURE]);
  const written = new Map(stdout.split('\n').map((line) => line.split(' ') as [string, string]));
  for (const format of ['md', 'html', 'json']) expect(Number(written.get(format))).toBeGreaterThan(40_000 * 4_000);
});
