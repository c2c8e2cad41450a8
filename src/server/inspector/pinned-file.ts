import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';

/** Opens only the file that was checked: if its name has been pointed elsewhere since, it is refused. Doesn't block, not even on a pipe. */
export async function openPinned(real: string): Promise<FileHandle | undefined> {
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined || (await isStill(handle, real))) return handle;
  await handle.close();
  return undefined;
}

/** On Linux, asks the system for the path of the open file itself. */
async function isStill(handle: FileHandle, real: string): Promise<boolean> {
  if (process.platform !== 'linux') return (await realpath(real).catch(() => undefined)) === real;
  return (await realpath(pathOf(handle, real)).catch(() => undefined)) === real;
}

/** A path to the open file, even if its name changes. */
export const pathOf = (handle: FileHandle, real: string): string => (process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real);
