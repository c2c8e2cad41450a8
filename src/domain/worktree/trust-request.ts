/** Requests of Signalbox itself: whether a script of the repository may run. No rule and no agent answers them. */
export const TRUST_REQUEST = 'script:';

export const isTrustRequest = (requestId: string): boolean => requestId.startsWith(TRUST_REQUEST);

/** What the request calls the script, instead of a tool. */
export const SCRIPT_NAMES = { setup: 'Setup script', run: 'Run script', archive: 'Archive script', hooks: 'Git hooks' } as const;

export const isScriptName = (tool: string): boolean => Object.values<string>(SCRIPT_NAMES).includes(tool);
