import type { QueuedInput } from '../../protocol/session.ts';
import type { Draft } from './draft.ts';
import type { InputRecord } from './item.ts';

const STATES = { accepted: 'queued', delivered: 'delivered', consumed: 'taken' } as const satisfies Record<QueuedInput['state'], InputRecord['state']>;

/** Makes the messages known that waited before the window began; events of the window then have their say. */
export function seedInputs(draft: Draft, seeds: readonly QueuedInput[]): void {
  for (const seed of seeds) {
    const { commandId, text, mode } = seed;
    draft.inputs.set(commandId, { commandId, text, mode, images: [], context: [], imageCount: seed.images, state: STATES[seed.state] });
  }
}
