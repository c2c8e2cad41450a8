import type { Engine } from '../../engine/engine.ts';
import type { Actor } from '../../protocol/actor.ts';
import { CommandId, SessionId } from '../../protocol/ids.ts';
import { freshId } from '../shared/fresh-id.ts';

/** Somebody who keeps trying fills no disk: further lines of the same minute are left out. */
const LINES_PER_MINUTE = 30;

export interface RefusedAct {
  readonly act: string;
  readonly actor: Actor;
  readonly role: string;
  /** The session it was about, as the caller named it. */
  readonly session: string | undefined;
}

/** Keeps an audit line of acts on files and repositories that somebody tried without being allowed to. */
export function createRefusedActs(engine: Pick<Engine, 'workspace' | 'session'>, now: () => number): (refused: RefusedAct) => void {
  let minute = 0;
  let lines = 0;
  return ({ act, actor, role, session }) => {
    const current = Math.floor(now() / 60_000);
    lines = current === minute ? lines + 1 : 1;
    minute = current;
    if (lines > LINES_PER_MINUTE) return;
    const known = SessionId.safeParse(session);
    // The id of a private session is nobody else's business.
    const target = known.success && engine.session(known.data)?.closed !== true ? known.data : undefined;
    const command = { type: 'act.refuse', commandId: CommandId.parse(`refused:${freshId()}`), act, role, ...(target !== undefined && { target }) } as const;
    void engine.workspace(command, actor).catch(() => undefined);
  };
}
