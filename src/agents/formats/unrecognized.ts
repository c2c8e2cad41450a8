/** How much of an unknown line an event holds; the run's own file has all of it. */
const RAW_CHARS = 64 * 1024;

/** An unknown line is kept as it is: shown collapsed, never dropped. */
export const unrecognized = (raw: string, reason: string) => ({ type: 'unrecognised', raw: raw.slice(0, RAW_CHARS), reason }) as const;
