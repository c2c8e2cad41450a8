import { PAST_AGENTS } from '../../src/agents/index.ts';
import { openArchiveIndexer } from '../../src/archive/open-indexer.ts';
import { statFloor } from './floors.ts';

const nothing = (): void => undefined;

/** Sweeps all records with the existing databases, then again when nothing has changed: the best of five. */
export function measureSweep(dataDir: string, home: string, files: readonly string[]): { readonly ours: number; readonly floor: number } {
  const news = { read: nothing, listed: nothing, removed: nothing, grown: nothing };
  const indexer = openArchiveIndexer({ dataDir, agents: PAST_AGENTS, env: { HOME: home }, news, now: () => Date.now() });
  indexer.sweep();
  const rounds = Array.from({ length: 5 }, () => {
    const floor = statFloor(files);
    const since = performance.now();
    indexer.sweep();
    return { ours: performance.now() - since, floor };
  });
  indexer.close();
  return { ours: Math.min(...rounds.map(({ ours }) => ours)), floor: Math.min(...rounds.map(({ floor }) => floor)) };
}
