import type { Observation } from '../../../protocol/observation.ts';

/** As much of a strange line as an event holds; the whole is in the run's own file. */
const RAW_CHARS = 64 * 1024;

export const unrecognised = (raw: string, reason: string): Observation => ({ type: 'unrecognised', raw: raw.slice(0, RAW_CHARS), reason });
