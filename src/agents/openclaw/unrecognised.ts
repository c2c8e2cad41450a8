import type { Observation } from '../../protocol/observation.ts';

/** A line that we do not know is kept as it came: shown folded, never dropped. */
export const unrecognised = (raw: string, reason: string): Observation => ({ type: 'unrecognised', raw, reason });
