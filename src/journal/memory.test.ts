import { journalContract } from './contract.ts';
import { openMemoryJournal } from './memory.ts';

journalContract('memory', openMemoryJournal);
