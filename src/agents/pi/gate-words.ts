/** The words that the adapter and our extension inside Pi share. No imports: Pi loads the extension by itself. */

/** The command that carries our orders to the extension, the name under which it reports, and the field of a message in which it says whose that is. */
export const GATE = 'signalbox';

/** Begins the title of a dialog that asks for a permission; the call follows as JSON. */
export const ASKS = 'signalbox:';

/** Begins what the model is told of a call that was denied. */
export const DENIED = 'Not allowed: ';

/** Marks the result of a call that made a new file. */
export const isCreated = (details: unknown): boolean => typeof details === 'object' && details !== null && 'created' in details && details.created === true;

/** The environment variable in which the extension finds what it was told at the start. */
export const GATE_VARIABLE = 'SIGNALBOX_PI_GATE';

export interface GateOrders {
  readonly mode: 'default' | 'acceptEdits' | 'bypassPermissions';
  /** Tools that need not ask, and tools that may not be used. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

export type GateAnswer =
  | { readonly behavior: 'allow'; readonly input?: Readonly<Record<string, unknown>> }
  | { readonly behavior: 'deny'; readonly message: string };
