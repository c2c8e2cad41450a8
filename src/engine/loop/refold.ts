import type { RunRow } from '../../journal/journal.ts';
import type { World } from '../engine-context.ts';
import type { RunBox } from './run-reader.ts';

/** Folds a run's output again from byte 0, because the adapter has changed; what comes out is in the journal already. */
export async function refold(world: World, run: RunBox, row: RunRow): Promise<void> {
  const bytes = await world.deps.host.readOutput(run.ref, 0, row.outByte);
  let state = run.adapter.initial();
  for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
    if (line !== '') state = run.adapter.translate(state, line).state;
  }
  run.refolded(state);
}
