import { accessSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { keepYoungGenerationSmall } from '../../../bin/v8-flags.mjs';
import { PAST_AGENTS } from '../../agents/index.ts';
import { projectIdOf } from '../../agents/port/project-id.ts';
import { openKeptReader } from '../../archive/keep/kept-reader.ts';
import { openArchiveReader } from '../../archive/open-reader.ts';
import { openJournalReader } from '../../journal/sqlite/open-journal.ts';
import { answerQuestions } from './answer-questions.ts';
import { IdleGarbageCollector, lowerPriority } from './collect-when-idle.ts';
import { indexParts, indexPath, SessionsOpenElsewhere, textOfBlob } from './index-parts.ts';
import type { WriterNews, WriterQuestion } from './messages.ts';
import { openIndexWriter } from './open-index.ts';
import { ProblemReporter } from './problem-reporter.ts';
import type { ThreadData } from './threads.ts';
import { IndexWriterWorker } from './writer-worker.ts';

// The writer thread: writes what is read from records, and the journal, into the index.

/** An open batch is committed after this long. */
const COMMIT_MS = 1000;

keepYoungGenerationSmall();
lowerPriority();
const { dataDir } = workerData as ThreadData;
accessSync(dataDir); // a folder that is moved away for a moment must not be recreated
const garbage = new IdleGarbageCollector();
const openElsewhere = new SessionsOpenElsewhere();
const post = (news: WriterNews): void => parentPort?.postMessage(news);
const reader = openArchiveReader({ dataDir, agents: PAST_AGENTS, copies: openKeptReader({ dataDir, onDamage: () => undefined }) });
const journal = openJournalReader(dataDir);
const worker = new IndexWriterWorker({
  reader,
  writer: openIndexWriter({
    path: indexPath(dataDir),
    projectOf: (cwd) => ({ project: basename(cwd) || cwd, projectId: projectIdOf(cwd) }),
    blob: textOfBlob(journal, reader),
    ...indexParts(PAST_AGENTS, openElsewhere),
  }),
  journal,
  openElsewhere,
  post,
  now: () => Date.now(),
});
const reporter = new ProblemReporter(post);
let isWorking = false;
let isClosed = false;
let reportedBehind = 0;
let lastReadAt = 0;
const timer = setInterval(commitWhenDue, COMMIT_MS);

answerQuestions<WriterQuestion>((question) => {
  // Only these come in batches; the journal grows all the time.
  if (question.ask === 'read') lastReadAt = performance.now();
  garbage.worked();
  perform(question);
  reportedBehind = isClosed ? 0 : worker.behind();
  return reportedBehind;
}, work);

function perform(question: WriterQuestion): void {
  switch (question.ask) {
    case 'begin':
      return worker.begin(question.sessions);
    case 'read':
      return worker.read(question.batch);
    case 'listed':
      return worker.listed(question.session);
    case 'removed':
      return worker.removed(question.sessionId);
    case 'adopted':
      return worker.adopted(question.sessionId, question.base);
    case 'journal':
      return worker.journalMoved();
    case 'openElsewhere':
      return worker.openElsewhere(question.sessions);
    case 'retry':
      return worker.retry();
    case 'commit':
      return worker.commit();
    case 'rebuild':
      return worker.rebuild();
    case 'close':
      return end();
  }
}

function work(): void {
  if (isWorking || isClosed) return;
  isWorking = true;
  setImmediate(oneStep);
}

/** After a failed step, the next timer tick tries again: a full disk may have space by then. */
function oneStep(): void {
  isWorking = false;
  if (isClosed) return;
  const more = reporter.during('the search index could not be written', () => worker.step());
  if (worker.behind() !== reportedBehind) {
    reportedBehind = worker.behind();
    post({ kind: 'behind', behind: reportedBehind });
  }
  if (more === true) work();
  else if (performance.now() - lastReadAt >= COMMIT_MS) garbage.rest();
}

function commitWhenDue(): void {
  if (performance.now() - lastReadAt >= COMMIT_MS) reporter.during('the search index could not be written', () => worker.commit());
  work();
}

function end(): void {
  isClosed = true;
  clearInterval(timer);
  worker.close();
  reader.close();
  journal.close();
}
