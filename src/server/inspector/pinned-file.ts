import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';

/** Opens what was judged and nothing else: a name that was made to lead elsewhere meanwhile is refused. Never waits, as a pipe would make it. */
export async function openPinned(real: string): Promise<FileHandle | undefined> {
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined || (await isStill(handle, real))) return handle;
  await handle.close();
  return undefined;
}

/** Where the system tells, by the open thing itself. */
async function isStill(handle: FileHandle, real: string): Promise<boolean> {
  if (process.platform !== 'linux') return (await realpath(real).catch(() => undefined)) === real;
  return (await realpath(pathOf(handle, real)).catch(() => undefined)) === real;
}

/** A path that leads to the open thing, whatever becomes of its name. */
export const pathOf = (handle: FileHandle, real: string): string => (process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real);
