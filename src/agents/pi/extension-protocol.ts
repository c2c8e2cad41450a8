/** Names shared by the adapter and our extension inside Pi. No imports: Pi loads the extension on its own. A running old extension uses them too. */

/** The extension's command, the key of its status, and the message field that names the input. */
export const GATE = 'signalbox';

/** Prefix of the title of a permission dialog; the call follows as JSON. */
export const ASK_PREFIX = 'signalbox:';

/** Prefix of the title of a dialog that carries a call of one of our tools; the call follows as JSON. */
export const TOOL_PREFIX = 'signalbox-tool:';

/** Prefix of the result that the model gets for a denied call. */
export const DENIED_PREFIX = 'Not allowed: ';

/** Marks the result of a call that made a new file. */
export const isCreated = (details: unknown): boolean => typeof details === 'object' && details !== null && 'created' in details && details.created === true;

/** The environment variable with the extension's initial settings. */
export const GATE_VARIABLE = 'SIGNALBOX_PI_GATE';

export interface GateSettings {
  readonly mode: 'default' | 'acceptEdits' | 'bypassPermissions';
  /** Tools that run without asking, and tools that are forbidden. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** Signalbox's own tools; they need no approval. */
  readonly tools?: readonly GateTool[];
}

export interface GateTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export type GateAnswer =
  | { readonly behavior: 'allow'; readonly input?: Readonly<Record<string, unknown>> }
  | { readonly behavior: 'deny'; readonly message: string };
