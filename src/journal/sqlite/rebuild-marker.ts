import { join } from 'node:path';

/** Exists while a rebuild replaces the database: the database must not be opened as if it were complete. */
export const rebuildMarker = (dataDir: string): string => join(dataDir, 'journal.rebuilding');
