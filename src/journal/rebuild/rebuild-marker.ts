import { join } from 'node:path';

/** Stands while a rebuild replaces the database: what lies there meanwhile must not be opened as if it were whole. */
export const rebuildMarker = (dataDir: string): string => join(dataDir, 'journal.rebuilding');
