import { parentPort, workerData } from 'node:worker_threads';
import { isDamage, removeDatabase, SessionTable } from './session-table.ts';
import type { WorkerAnswer, WorkerQuestion } from './worker-messages.ts';

// The session list's worker: one question after the other, each answered once.
const path: string = workerData.path;
let sessionTable = openOrRecreate(path);

parentPort?.on('message', (question: WorkerQuestion) => parentPort?.postMessage(answer(question)));

function answer(question: WorkerQuestion): WorkerAnswer {
  try {
    return { id: question.id, ok: true, value: perform(question) };
  } catch (error) {
    return { id: question.id, ok: false, message: error instanceof Error ? error.message : String(error), emptied: recovered(error) };
  }
}

function perform(question: WorkerQuestion): unknown {
  switch (question.ask) {
    case 'apply':
      return sessionTable.apply(question.batch);
    case 'list':
      return sessionTable.list(question.query);
    case 'projects':
      return sessionTable.projects(question.agent, question.hidden);
    case 'brief':
      return sessionTable.brief(question.briefs);
    case 'tags':
      return sessionTable.tags();
    case 'counts':
      return sessionTable.counts();
    case 'cursor':
      return sessionTable.cursor();
    case 'keepOnly':
      return sessionTable.keepOnly(question.ids, question.from);
    case 'clear':
      return sessionTable.clear();
    case 'close':
      return sessionTable.close();
  }
}

/** A damaged list loses nothing: it is recreated, and the caller is notified. */
function recovered(error: unknown): boolean {
  if (!isDamage(error)) return false;
  removeDatabase(path);
  sessionTable = new SessionTable(path);
  return true;
}

function openOrRecreate(at: string): SessionTable {
  try {
    return new SessionTable(at);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDatabase(at);
    return new SessionTable(at);
  }
}
