import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../../../dist/web');

/** The page as it is shipped, in a folder of its own. */
export async function buildWeb(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-web-'));
  await cp(BUILT, folder, { recursive: true });
  return folder;
}
