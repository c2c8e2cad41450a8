import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PAST_AGENTS } from '../agents/index.ts';
import { openArchiveIndexer } from '../archive/open-indexer.ts';
import { openArchiveReader } from '../archive/open-reader.ts';
import { openJournalReader } from '../journal/sqlite.ts';
import { openLibraryWriter } from '../views/library/open-library-writer.ts';
import { answerQuestions } from './answers.ts';
import { IndexingDesk } from './indexing-desk.ts';
import type { IndexingNews, IndexingQuestion } from './messages.ts';
import { RecordWatch } from './watch-records.ts';

// The program of the thread that reads records and follows the journal.

/** All records are looked at this often, whatever the system tells of changes. */
const SWEEP_MS = 30_000;
/** A program that writes a line often writes more at once: these are read together. */
const TOUCH_MS = 50;

const { dataDir, env } = workerData as { readonly dataDir: string; readonly env: Readonly<Record<string, string>> };
