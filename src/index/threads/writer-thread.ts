import { accessSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PAST_AGENTS } from '../../agents/index.ts';
import { openKeptReader } from '../../archive/keep/kept-reader.ts';
import { openArchiveReader } from '../../archive/open-reader.ts';
import { projectIdOf } from '../../engine/loop/summary.ts';
import { openJournalReader } from '../../journal/sqlite/open-journal.ts';
import { openLibraryWriter } from '../store/open-index.ts';
import { answerQuestions } from './answer-questions.ts';
import { comeLast, keepNurserySmall, Leftovers } from './heap.ts';
import { HeldSessions, libraryParts, libraryPath, textOfBlob } from './index-parts.ts';
import type { FilingNews, FilingQuestion } from './messages.ts';
import { Troubles } from './report-once.ts';
import type { ThreadData } from './threads.ts';
import { LibraryDesk } from './writer-worker.ts';

// The program of the thread that writes the library: what is read of records, and what the journal says.

/** What nobody said the end of is made durable after this. */
const SETTLE_MS = 1000;

keepNurserySmall();
comeLast();
const { dataDir } = workerData as ThreadData;
accessSync(dataDir); // one that is moved away for a moment must not be made anew
const leftovers = new Leftovers();
const held = new HeldSessions();
const post = (news: FilingNews): void => parentPort?.postMessage(news);
const reader = openArchiveReader({ dataDir, agents: PAST_AGENTS, copies: openKeptReader({ dataDir, onDamage: () => undefined }) });
const journal = openJournalReader(dataDir);
const desk = new LibraryDesk({
  reader,
  writer: openLibraryWriter({
    path: libraryPath(dataDir),
    projectOf: (cwd) => ({ project: basename(cwd) || cwd, projectId: projectIdOf(cwd) }),
    blob: textOfBlob(journal, reader),
    ...libraryParts(PAST_AGENTS, held),
  }),
  journal,
  held,
  post,
  now: () => Date.now(),
});
const troubles = new Troubles(post);
let isWorking = false;
let isClosed = false;
let toldBehind = 0;
let lastTakenAt = 0;
const timer = setInterval(settleInTime, SETTLE_MS);

answerQuestions<FilingQuestion>((question) => {
  // Only these come in company; the journal moves all the time.
  if (question.ask === 'read') lastTakenAt = performance.now();
  leftovers.worked();
  take(question);
  toldBehind = isClosed ? 0 : desk.behind();
  return toldBehind;
}, work);

function take(question: FilingQuestion): void {
  switch (question.ask) {
    case 'begin':
      return desk.begin(question.sessions);
    case 'read':
      return desk.read(question.batch);
    case 'listed':
      return desk.listed(question.session);
    case 'removed':
      return desk.removed(question.sessionId);
    case 'takenUp':
      return desk.takenUp(question.sessionId, question.base);
    case 'journal':
      return desk.journalMoved();
    case 'held':
      return desk.held(question.sessions);
    case 'retry':
      return desk.retry();
    case 'settle':
      return desk.settle();
    case 'rebuild':
      return desk.rebuild();
    case 'close':
      return end();
  }
}

function work(): void {
  if (isWorking || isClosed) return;
  isWorking = true;
  setImmediate(oneStep);
}

/** After a step that failed the next tick goes on: a disk that is full may have room then. */
function oneStep(): void {
  isWorking = false;
  if (isClosed) return;
  const more = troubles.during('the library could not be written', () => desk.step());
  if (desk.behind() !== toldBehind) {
    toldBehind = desk.behind();
    post({ tell: 'behind', behind: toldBehind });
  }
  if (more === true) work();
  else if (performance.now() - lastTakenAt >= SETTLE_MS) leftovers.rest();
}

function settleInTime(): void {
  if (performance.now() - lastTakenAt >= SETTLE_MS) troubles.during('the library could not be written', () => desk.settle());
  work();
}

function end(): void {
  isClosed = true;
  clearInterval(timer);
  desk.close();
  reader.close();
  journal.close();
}
