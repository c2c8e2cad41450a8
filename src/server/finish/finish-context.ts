import type { FinishState } from '../../domain/finish/finish-state.ts';
import type { Engine } from '../../engine/engine.ts';
import { KeyedQueues } from '../../engine/loop/keyed-queues.ts';
import type { AllowedRoots } from '../../folders/allowed-roots.ts';
import type { PersonEnvironment } from '../../git/act-git.ts';
import { notable, plantedSince } from '../../git/planted.ts';
import { repositoryOf } from '../../git/repository.ts';
import type { GitLocation } from '../../git/run-git.ts';
import type { ActPlace } from '../../git/stage.ts';
import type { Problems } from '../../problems/problems.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { ActAnswer, Planted } from '../../protocol/api/finish.ts';
import { type CommandOf, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { foldersOf } from '../inspector/session-folders.ts';
import type { Log } from '../shared/log.ts';

export interface FinishParts {
  /** The whole engine: routes have checked that the caller may reach the session. */
  readonly engine: Engine;
  readonly allowedRoots: AllowedRoots;
  /** The server's environment without its own variables. */
  readonly env: PersonEnvironment;
  readonly log: Log;
  readonly problems: Problems;
  readonly now?: () => number;
  /** Whether somebody who gets notifications may want to know about a session. */
  readonly isFollowed?: () => boolean;
}

export interface FinishContext extends FinishParts {
  readonly now: () => number;
  /** Acts in one working tree run one after the other. */
  readonly queues: KeyedQueues;
}

export const finishContext = (parts: FinishParts): FinishContext => ({ ...parts, now: parts.now ?? Date.now, queues: new KeyedQueues() });

/** A person, and the session they act in. */
export interface Acting {
  readonly session: Session;
  readonly actor: Actor;
  readonly commandId: CommandId;
}

/** Where git runs for a session: its own folder, if it is in a repository. */
export async function repositoryFor({ engine, allowedRoots }: FinishContext, session: Session): Promise<GitLocation | Refusal> {
  const folders = await foldersOf({ engine }, session, allowedRoots);
  if (isRefusal(folders)) return folders;
  const place = await repositoryOf(folders.roots[0]);
  return 'words' in place ? { refused: 'conflict', message: place.words } : place;
}

export const stateOf = ({ engine }: FinishContext, id: SessionId): FinishState | undefined => engine.finish(id);

/** What an agent may have planted here since the session started. */
export async function plantedIn(context: FinishContext, id: SessionId, place: GitLocation): Promise<Planted | undefined> {
  const state = stateOf(context, id);
  const [noted] = state?.notedSeq == null ? [] : context.engine.events(id, { after: state.notedSeq - 1, limit: 1 });
  return plantedSince(noted?.type === 'git.noted' ? noted.entries : undefined, await notable(place), state?.trusted ?? []);
}

/**
 * Where a person may act now. Git would run hooks and programs from settings as that person, so what the agent changed in them must be confirmed first.
 */
export async function actPlace(context: FinishContext, session: Session): Promise<ActPlace | Refusal> {
  if (stateOf(context, session.id) === undefined) {
    return { refused: 'conflict', message: 'This session ran in another program. Send it a message here first; then you can commit its changes.' };
  }
  const read = await repositoryFor(context, session);
  if (isRefusal(read)) return read;
  const planted = await plantedIn(context, session.id, read);
  if (planted !== undefined && !planted.confirmed) {
    const names = planted.changes.map(({ name }) => name).join(', ');
    return {
      refused: 'conflict',
      message: `Hooks or git settings that run programs or name remotes changed since this session started: ${names}. Look at them and confirm them first (POST /api/sessions/${session.id}/git/trust with sha256 ${planted.sha256}).`,
    };
  }
  return { read, act: { cwd: read.cwd, env: context.env } };
}

type Outcome = Omit<CommandOf<'git.record'>, 'type' | 'commandId' | 'sessionId' | 'target'>;

/** Keeps what was done, under the name of the person who asked for it. */
export async function record(context: FinishContext, { session, actor, commandId }: Acting, outcome: Outcome): Promise<ActAnswer | Refusal> {
  const receipt = await context.engine.submit({ type: 'git.record', commandId, sessionId: session.id, target: commandId, ...outcome }, actor);
  if (isRefusal(receipt)) return receipt;
  return answerOf(commandId, { ...outcome, seq: receipt.seq });
}

export const answerOf = (commandId: CommandId, { act, ok, seq, commit, url, checkpointId, scriptId, message }: Omit<ActAnswer, 'commandId'>): ActAnswer => ({
  ...{ commandId, act, ok, seq },
  ...(commit !== undefined && { commit }),
  ...(url !== undefined && { url }),
  ...(checkpointId !== undefined && { checkpointId }),
  ...(scriptId !== undefined && { scriptId }),
  ...(message !== undefined && { message }),
});

/** The outcome of a command that was sent before. */
export function earlier(context: FinishContext, { session, commandId }: Acting, act: ActAnswer['act']): ActAnswer | Refusal | undefined {
  const known = stateOf(context, session.id)?.recent.find((outcome) => outcome.commandId === commandId);
  if (known === undefined) return undefined;
  if (known.act !== act) return { refused: 'conflict', message: `The command id ${commandId} was used for something else. Send a new one.` };
  return known.ok ? answerOf(commandId, known) : { refused: 'conflict', message: known.message ?? 'This failed before.' };
}
