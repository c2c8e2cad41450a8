import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../../../dist/web');

/** A copy of the built page in its own folder. */
export async function buildWeb(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-web-'));
  await cp(BUILT, folder, { recursive: true });
  return folder;
}
