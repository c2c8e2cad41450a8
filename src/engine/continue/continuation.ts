import type { AdoptedPast } from '../../domain/session/adopt.ts';
import type { Inherited } from '../../domain/session/inherit.ts';
import type { Driver } from '../../domain/session/state.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';

export type Create = CommandOf<'session.create'>;

/** A session.create command whose origin was found, and what the new transcript shows of the past. */
export interface Continuation {
  readonly command: Create;
  readonly inherited?: readonly Inherited[];
  /** It continues a private session. */
  readonly closed?: boolean;
  /** The other program that must be ended first. */
  readonly driver?: Driver;
  /** The past session to adopt, instead of creating a new session with a copy of it. */
  readonly past?: AdoptedPast;
}

export const otherFolderRefusal = (cwd: string | undefined): Refusal => ({
  refused: 'cannot-resume',
  message: `This conversation belongs to ${cwd ?? 'another folder'}, and the agent can resume it only there. Choose that folder, or send the same request with "handover": true to start a new session here with a summary.`,
});
