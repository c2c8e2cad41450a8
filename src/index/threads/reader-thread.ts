import { workerData } from 'node:worker_threads';
import { keepYoungGenerationSmall } from '../../../bin/v8-flags.mjs';
import { PAST_AGENTS } from '../../agents/index.ts';
import { openKeptReader } from '../../archive/keep/kept-reader.ts';
import { openArchiveReader } from '../../archive/open-reader.ts';
import { openJournalReader } from '../../journal/sqlite/open-journal.ts';
import { answerQuestions } from './answer-questions.ts';
import { IdleGarbageCollector } from './collect-when-idle.ts';
import { indexParts, indexPath, SessionsOpenElsewhere } from './index-parts.ts';
import type { ReaderQuestion } from './messages.ts';
import { openIndexReader } from './open-index-reader.ts';
import { ReaderWorker } from './reader-worker.ts';
import type { ThreadData } from './threads.ts';

// The reader thread: answers questions about past sessions, hits, usage and health.

/** After this long without a question, garbage is collected. */
const IDLE_MS = 3000;

keepYoungGenerationSmall();
const { dataDir } = workerData as ThreadData;
const openElsewhere = new SessionsOpenElsewhere();
const copies = openKeptReader({ dataDir, onDamage: () => undefined });

const worker = new ReaderWorker({
  archive: openArchiveReader({ dataDir, agents: PAST_AGENTS, copies }),
  sessionIndex: openIndexReader({ path: indexPath(dataDir), ...indexParts(PAST_AGENTS, openElsewhere) }),
  journal: openJournalReader(dataDir),
  openElsewhere,
});

const garbage = new IdleGarbageCollector();
const idleTimer = setTimeout(() => garbage.rest(), IDLE_MS).unref();

answerQuestions<ReaderQuestion>((question) => {
  garbage.worked();
  idleTimer.refresh();
  return worker.answer(question);
});
