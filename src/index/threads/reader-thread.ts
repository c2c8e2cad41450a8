import { workerData } from 'node:worker_threads';
import { PAST_AGENTS } from '../../agents/index.ts';
import { openKeptReader } from '../../archive/keep/kept-reader.ts';
import { openArchiveReader } from '../../archive/open-reader.ts';
import { openJournalReader } from '../../journal/sqlite/open-journal.ts';
import { openLibraryReader } from '../store/open-index-reader.ts';
import { answerQuestions } from './answer-questions.ts';
import { keepNurserySmall, Leftovers } from './heap.ts';
import { HeldSessions, libraryParts, libraryPath } from './index-parts.ts';
import type { ReadingQuestion } from './messages.ts';
import { ReadingDesk } from './reader-worker.ts';
import type { ThreadData } from './threads.ts';

// The program of the thread that answers about past sessions, hits, usage and health.

/** Nobody has asked for so long: what many answers left behind is given back. */
const REST_MS = 3000;

keepNurserySmall();
const { dataDir } = workerData as ThreadData;
const held = new HeldSessions();
const copies = openKeptReader({ dataDir, onDamage: () => undefined });

const desk = new ReadingDesk({
  archive: openArchiveReader({ dataDir, agents: PAST_AGENTS, copies }),
  library: openLibraryReader({ path: libraryPath(dataDir), ...libraryParts(PAST_AGENTS, held) }),
  journal: openJournalReader(dataDir),
  held,
});

const leftovers = new Leftovers();
const resting = setTimeout(() => leftovers.rest(), REST_MS).unref();

answerQuestions<ReadingQuestion>((question) => {
  leftovers.worked();
  resting.refresh();
  return desk.answer(question);
});
