import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { sessionAt } from '../../../test/support/index/session-samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { openSessionList } from './open-session-list.ts';

const folder = temporaryFolder();
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('the worker runs as a bundle of one file', async () => {
  const dist = folder.make();
  symlinkSync(fromHere('../../../node_modules'), join(dist, 'node_modules'));
  const outfile = join(dist, 'list-worker.mjs');
  await build({ entryPoints: [fromHere('./worker.ts')], bundle: true, platform: 'node', format: 'esm', target: 'node20', outfile, logLevel: 'error' });
  const sessionList = openSessionList({ dataDir: folder.make(), workerUrl: pathToFileURL(outfile) });
  sessionList.offer(sessionAt('a', 1), 1);
  expect((await sessionList.list({}, 1)).sessions).toEqual([sessionAt('a', 1)]);
  await sessionList.close();
});
