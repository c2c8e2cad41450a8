import type { CommandId } from '../../protocol/ids.ts';
import { purposeIds } from '../formats/purpose-id.ts';
import { isObject, text } from '../formats/shape.ts';
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

const ids = purposeIds<Purpose>({ hello: true, new: true, load: true, login: true, begin: true, input: true, set: true });

export const { idOf } = ids;

/** An agent that returns a damaged id answers no request of ours. */
export function purposeOf(id: string | number | null | undefined): Purpose | undefined {
  const purpose = ids.purposeOf(id);
  return purpose !== undefined && isWhole(purpose) ? purpose : undefined;
}

function isWhole(purpose: Purpose): boolean {
  switch (purpose.for) {
    case 'hello':
    case 'new':
    case 'load':
      return isObject(purpose.wish) && text(purpose.wish.cwd);
    case 'begin':
    case 'input':
      return text(purpose.inputId);
    case 'login':
      return text(purpose.name);
    case 'set':
      return text(purpose.setting) && text(purpose.value);
  }
}
