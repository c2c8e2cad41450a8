import type { Adapter } from '../../../src/agents/port/adapter.ts';
import type { Observation } from '../../../src/protocol/observation.ts';

/** The lines that a real CLI printed in one run of its process. */
export interface Recording {
  readonly name: string;
  readonly lines: readonly string[];
}

/** All observations of an adapter from a recording. */
export function replay(adapter: Adapter, recording: Recording, between: (state: unknown) => unknown = (state) => state): readonly Observation[] {
  let state = adapter.initial();
  return recording.lines.flatMap((line) => {
    const step = adapter.translate(between(state), line);
    state = step.state;
    return step.observations;
  });
}
