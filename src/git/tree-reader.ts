import type { WorkingTree } from '../protocol/api/changes.ts';
import { type TreeQuestion, workingTree } from './working-tree.ts';

export interface TreeReader {
  /** Concurrent calls with the same question share one answer. */
  read(question: TreeQuestion): Promise<WorkingTree>;
}

/** Git uses a whole core while it reads, so only this many folders are read at once. */
const AT_ONCE = 2;

export function createTreeReader(): TreeReader {
  const asked = new Map<string, Promise<WorkingTree>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const free = (): void => {
    running -= 1;
    waiting.shift()?.();
  };
  const inTurn = async (question: TreeQuestion): Promise<WorkingTree> => {
    while (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    return workingTree(question).finally(free);
  };
  return {
    read: (question) => {
      const key = JSON.stringify(question);
      const answer = asked.get(key) ?? inTurn(question).finally(() => asked.delete(key));
      asked.set(key, answer);
      return answer;
    },
  };
}
