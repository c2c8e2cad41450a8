import { parentPort, workerData } from 'node:worker_threads';
import { Catalogue, removeDatabase } from './catalogue.ts';
import { isDamage } from './is-damaged.ts';
import type { WorkerAnswer, WorkerQuestion } from './worker-messages.ts';

// The program of the views' thread: one question after the other, each answered once.
const path: string = workerData.path;
let catalogue = openAnew(path);

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
      return catalogue.apply(question.batch);
    case 'list':
      return catalogue.list(question.query);
    case 'projects':
      return catalogue.projects(question.agent, question.hidden);
    case 'brief':
      return catalogue.brief(question.briefs);
    case 'tags':
      return catalogue.tags();
    case 'counts':
      return catalogue.counts();
    case 'cursor':
      return catalogue.cursor();
    case 'keepOnly':
      return catalogue.keepOnly(question.ids, question.past);
    case 'clear':
      return catalogue.clear();
    case 'close':
      return catalogue.close();
  }
}

/** A damaged database of views is no loss: it is begun anew, and whoever feeds us is told. */
function recovered(error: unknown): boolean {
  if (!isDamage(error)) return false;
  removeDatabase(path);
  catalogue = new Catalogue(path);
  return true;
}

function openAnew(at: string): Catalogue {
  try {
    return new Catalogue(at);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDatabase(at);
    return new Catalogue(at);
  }
}
