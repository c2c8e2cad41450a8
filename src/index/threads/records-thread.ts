import { accessSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { keepYoungGenerationSmall } from '../../../bin/v8-flags.mjs';
import { PAST_AGENTS } from '../../agents/index.ts';
import { openKeptReader } from '../../archive/keep/kept-reader.ts';
import { openKeeper } from '../../archive/keep/open-keeper.ts';
import { openArchiveIndexer } from '../../archive/open-indexer.ts';
import { openArchiveReader } from '../../archive/open-reader.ts';
import { agentEnvs } from '../../programs/agent-environments.ts';
import { answerQuestions } from './answer-questions.ts';
import { IdleGarbageCollector, lowerPriority } from './collect-when-idle.ts';
import type { RecordsNews, RecordsQuestion } from './messages.ts';
import { ProblemReporter } from './problem-reporter.ts';
import { RecordsWorker } from './records-worker.ts';
import type { ThreadData } from './threads.ts';
import { RecordWatch } from './watch-records.ts';
import { WriterConnection } from './writer-connection.ts';

// The records thread: reads other programs' records.

/** All records are checked this often, whatever file system events say. */
const SWEEP_MS = 30_000;
/** How often to check for work that waits for a quiet moment, such as copying a record that is being written. */
const IDLE_MS = 1000;

keepYoungGenerationSmall();
lowerPriority();
const { dataDir, env, runtimes } = workerData as ThreadData;
accessSync(dataDir); // a folder that is moved away for a moment must not be recreated
const envFor = agentEnvs(env, runtimes);
/** Each agent's roots depend on its own environment. */
const agents = PAST_AGENTS.map(({ id, archive, ...agent }) => ({ ...agent, id, archive: { ...archive, roots: () => archive.roots(envFor(id)) } }));
const garbage = new IdleGarbageCollector();
const disk = { low: false };
const now = () => Date.now();
const roots = () => agents.flatMap(({ archive }) => archive.roots());
const post = (news: RecordsNews): void => parentPort?.postMessage(news);
const copies = openKeptReader({ dataDir, onDamage: (damage) => post({ kind: 'problem', what: 'a kept copy is damaged', reason: JSON.stringify(damage) }) });

const rootsOf = (agent: string) => agents.find(({ id }) => id === agent)?.archive.roots() ?? [];
const keeper = openKeeper({ dataDir, roots: rootsOf, mayWrite: () => !disk.low, now });

const program = import.meta.url.endsWith('.ts') ? './writer-thread-from-source.mjs' : './writer-thread.js';
const sessionIndex = new WriterConnection({
  url: new URL(program, import.meta.url),
  data: { dataDir, env, runtimes },
  post,
  onTaken: work,
  // Both threads restart together.
  onFailed: (reason) => {
    throw reason;
  },
});

const worker = new RecordsWorker({
  indexer: (news) => openArchiveIndexer({ dataDir, agents, env, news, now, keeper, copies }),
  reader: openArchiveReader({ dataDir, agents: PAST_AGENTS, copies }),
  sessionIndex,
  post,
  now,
  disk,
});
const reporter = new ProblemReporter(post);
const watch = new RecordWatch({
  file: (path) => {
    reporter.during('a record that changed could not be looked at', () => worker.touched(path));
    work();
  },
  folder: () => setImmediate(sweep),
});
let isWorking = false;
let isClosed = false;

answerQuestions<RecordsQuestion>(async (question) => {
  if (question.ask === 'close') end();
  // The answer also means that the index can be read.
  if (question.ask === 'kept') await sessionIndex.caughtUp();
  return worker.answer(question);
}, work);
const timers = [setInterval(sweep, SWEEP_MS), setInterval(work, IDLE_MS)];
sweep();

function sweep(): void {
  if (isClosed) return;
  reporter.during('folders of records could not be watched', () => watch.cover(roots()));
  reporter.during('records could not be looked at', () => worker.sweep());
  work();
}

/** One step at a time; questions are answered between two steps. */
function work(): void {
  if (isWorking || isClosed) return;
  isWorking = true;
  setImmediate(oneStep);
}

/** After a failed step, the next timer tick tries again: a full disk may have space by then. */
function oneStep(): void {
  isWorking = false;
  if (isClosed) return;
  const more = reporter.during('records could not be read', () => worker.step());
  if (more === false && !sessionIndex.isFull()) return garbage.rest();
  garbage.worked();
  if (more === true) work();
}

function end(): void {
  isClosed = true;
  for (const timer of timers) clearInterval(timer);
  watch.close();
}
