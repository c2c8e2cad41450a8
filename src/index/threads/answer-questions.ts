import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from '../list/worker-messages.ts';

/** Answers every message once, with the result of `perform` or the reason why it failed. */
export function answerQuestions<Q extends { readonly ask: string }>(perform: (question: Q) => unknown, afterwards: () => void = () => undefined): void {
  parentPort?.on('message', async (question: Q & { readonly id: number }) => {
    parentPort?.postMessage(await answerOf(question, perform));
    afterwards();
  });
}

async function answerOf<Q extends { readonly ask: string }>(question: Q & { readonly id: number }, perform: (question: Q) => unknown): Promise<WorkerAnswer> {
  try {
    return { id: question.id, ok: true, value: await perform(question) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { id: question.id, ok: false, message, name, emptied: false };
  }
}
