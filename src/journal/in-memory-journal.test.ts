import { journalContract } from '../../test/support/journal/contract.ts';
import { openMemoryJournal } from './in-memory-journal.ts';

journalContract('memory', openMemoryJournal);
