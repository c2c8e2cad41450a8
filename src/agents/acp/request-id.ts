import type { CommandId } from '../../protocol/ids.ts';
import { purposeIds } from '../formats/purpose-id.ts';
import type { SessionStart } from '../port/adapter.ts';

/** What our request was for. An agent returns the id with its answer, so we need no memory to read it. */
export type Purpose =
  /** The handshake, with the choices for the session that follows. */
  | { readonly for: 'hello'; readonly wish: SessionChoices }
  | { readonly for: 'new'; readonly wish: SessionChoices }
  | { readonly for: 'load'; readonly wish: SessionChoices }
  /** A login that a person chose. */
  | { readonly for: 'login'; readonly name: string }
  /** A probe before a message: its answer says that the agent has reached the message. */
  | { readonly for: 'begin'; readonly inputId: string }
  /** A message; its answer is the end of the turn. */
  | { readonly for: 'input'; readonly inputId: string; readonly isSlash: boolean }
  /** With a command id, a person waits for the answer. */
  | { readonly for: 'set'; readonly commandId?: CommandId; readonly setting: 'model' | 'mode' | 'thinking'; readonly value: string };

/** What a person chose for the session, as far as the protocol supports it. Part of request ids: field names must not change. */
export interface SessionChoices {
  readonly cwd: string;
  readonly mode: SessionStart['mode'];
  readonly sessionId: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly thinking?: string;
}

const WISH = { wish: 'object' } as const;
const INPUT = { inputId: 'string' } as const;

export const { idOf, purposeOf } = purposeIds<Purpose>({
  hello: WISH,
  new: WISH,
  load: WISH,
  login: { name: 'string' },
  begin: INPUT,
  input: INPUT,
  set: { setting: 'string', value: 'string' },
});
