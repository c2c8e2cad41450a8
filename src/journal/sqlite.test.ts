import { journalContract } from './contract.ts';
import { openSqliteJournal } from './sqlite.ts';

journalContract('SQLite', (dataDir) => openSqliteJournal({ dataDir }));
