import type { LibraryPart, PartWriter } from './part.ts';
import { type SearchReader, searchReader } from './search-read.ts';
import { SEARCH_SCHEMA } from './search-sql.ts';
import { searchWriter } from './search-write.ts';

/** The words of all sessions, and the files they touched. */
export const searchPart: LibraryPart<PartWriter, SearchReader> = {
  name: 'search',
  version: 1,
  schema: SEARCH_SCHEMA,
  write: searchWriter,
  read: searchReader,
};
