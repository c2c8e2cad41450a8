import type { WholeText } from '../../domain/search/whole.ts';
import type { LibraryPart, PartWriter } from '../store/index-part.ts';
import { searchWriter } from './index-writer.ts';
import { type SearchReader, searchReader } from './search.ts';
import { SEARCH_SCHEMA } from './search-sql.ts';

/** The words of all sessions, and the files they touched. `blob` gives long texts to whoever writes. */
export const searchPart = (blob: WholeText = () => undefined): LibraryPart<PartWriter, SearchReader> => ({
  name: 'search',
  version: 1,
  schema: SEARCH_SCHEMA,
  write: (db) => searchWriter(db, blob),
  read: searchReader,
});
