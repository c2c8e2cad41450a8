import { homedir } from 'node:os';
import type { EngineDeps } from '../loop/engine-deps.ts';

/** Signalbox's own data, which no allow rule covers: by its real path, and as a shell writes it if it is in the home folder. */
export function guardedFolders({ settings: { dataFolder } }: Pick<EngineDeps, 'settings'>): readonly string[] {
  const home = `${homedir()}/`;
  return dataFolder.startsWith(home) ? [dataFolder, `~/${dataFolder.slice(home.length)}`] : [dataFolder];
}
