import { accessSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PAST_AGENTS } from '../../agents/index.ts';
import { openKeptReader } from '../../archive/keep/kept-reader.ts';
import { openKeeper } from '../../archive/keep/open-keeper.ts';
import { openArchiveIndexer } from '../../archive/open-indexer.ts';
import { openArchiveReader } from '../../archive/open-reader.ts';
import { agentEnvs } from '../../programs/agent-environments.ts';
import { answerQuestions } from './answer-questions.ts';
import { comeLast, keepNurserySmall, Leftovers } from './heap.ts';
import type { IndexingNews, IndexingQuestion } from './messages.ts';
import { IndexingDesk } from './records-worker.ts';
import { Troubles } from './report-once.ts';
import type { ThreadData } from './threads.ts';
import { RecordWatch } from './watch-records.ts';
import { FilingLine } from './writer-connection.ts';

// The program of the thread that reads records.

/** All records are looked at this often, whatever the system tells of changes. */
const SWEEP_MS = 30_000;
/** What waits for a moment of quiet, such as a copy of a record that is being written, is looked at this often. */
const IDLE_MS = 1000;

keepNurserySmall();
comeLast();
const { dataDir, env, runtimes } = workerData as ThreadData;
accessSync(dataDir); // one that is moved away for a moment must not be made anew
const envFor = agentEnvs(env, runtimes);
/** Each looks where its own variables lead. */
const agents = PAST_AGENTS.map(({ id, archive, ...agent }) => ({ ...agent, id, archive: { ...archive, roots: () => archive.roots(envFor(id)) } }));
const leftovers = new Leftovers();
const disk = { low: false };
const now = () => Date.now();
const roots = () => agents.flatMap(({ archive }) => archive.roots());
const post = (news: IndexingNews): void => parentPort?.postMessage(news);
const copies = openKeptReader({ dataDir, onDamage: (damage) => post({ tell: 'trouble', what: 'a kept copy is damaged', reason: JSON.stringify(damage) }) });

const rootsOf = (agent: string) => agents.find(({ id }) => id === agent)?.archive.roots() ?? [];
const keeping = openKeeper({ dataDir, roots: rootsOf, mayWrite: () => !disk.low, now });

const program = import.meta.url.endsWith('.ts') ? './filing-from-source.mjs' : './library-filing.js';
const library = new FilingLine({
  url: new URL(program, import.meta.url),
  data: { dataDir, env, runtimes },
  post,
  onTaken: work,
  // Both are begun anew together.
  onFailed: (reason) => {
    throw reason;
  },
});

const desk = new IndexingDesk({
  indexer: (news) => openArchiveIndexer({ dataDir, agents, env, news, now, keeping, copies }),
  reader: openArchiveReader({ dataDir, agents: PAST_AGENTS, copies }),
  library,
  post,
  now,
  disk,
});
const troubles = new Troubles(post);
const watch = new RecordWatch({
  file: (path) => {
    troubles.during('a record that changed could not be looked at', () => desk.touched(path));
    work();
  },
  folder: () => setImmediate(look),
});
let isWorking = false;
let isClosed = false;

answerQuestions<IndexingQuestion>(async (question) => {
  if (question.ask === 'close') end();
  // Whoever asks this waits until there is a library to be read.
  if (question.ask === 'kept') await library.caughtUp();
  return desk.answer(question);
}, work);
const timers = [setInterval(look, SWEEP_MS), setInterval(work, IDLE_MS)];
look();

function look(): void {
  if (isClosed) return;
  troubles.during('folders of records could not be watched', () => watch.cover(roots()));
  troubles.during('records could not be looked at', () => desk.sweep());
  work();
}

/** Step by step; between two steps questions are answered. */
function work(): void {
  if (isWorking || isClosed) return;
  isWorking = true;
  setImmediate(oneStep);
}

/** After a step that failed the next tick goes on: a disk that is full may have room then. */
function oneStep(): void {
  isWorking = false;
  if (isClosed) return;
  const more = troubles.during('records could not be read', () => desk.step());
  if (more === false && !library.isFull()) return leftovers.rest();
  leftovers.worked();
  if (more === true) work();
}

function end(): void {
  isClosed = true;
  for (const timer of timers) clearInterval(timer);
  watch.close();
}
