import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import type { SessionIndex } from '../../index/session-index.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { Share, SharedLink } from '../../protocol/api/outside/outside.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { keyIn } from '../auth/run-tokens.ts';
import { newCommandId } from '../http/routes/session.ts';

/**
 * Links that show one session to anybody who has them. What a link shows is a document made on the server: its address opens nothing else, and it is
 * no token. A private session can't be shared, and becomes unreachable through links when it is made private.
 */
export interface Shares {
  list(): readonly SharedLink[];
  create(sessionId: SessionId, expiresAt: string, by: Actor): Promise<SharedLink | Refusal>;
  revoke(id: string, by: Actor): Promise<Refusal | undefined>;
  /** The session behind a link that is valid now. */
  open(token: string): Promise<Session | undefined>;
}

interface Parts {
  readonly engine: Pick<Engine, 'outside' | 'workspace' | 'session'>;
  readonly sessionIndex: Pick<SessionIndex, 'session'>;
  readonly dataDir: string;
  readonly basePath: string;
  readonly now: () => number;
}

export function openShares({ engine, sessionIndex, dataDir, basePath, now }: Parts): Shares {
  let known: Buffer | undefined;
  const signatureOf = (id: string): string => {
    known ??= keyIn(join(dataDir, 'share-key'));
    return createHmac('sha256', known).update(id).digest('base64url');
  };
  const shown = (share: Share): SharedLink => ({ ...share, url: `${basePath}/share/${share.id}.${signatureOf(share.id)}` });
  const visible = async (id: SessionId): Promise<Session | undefined> => {
    const session = engine.session(id) ?? (await sessionIndex.session(id));
    return session?.closed === true ? undefined : session;
  };
  return {
    list: () => engine.outside().shares.map(shown),
    create: async (sessionId, expiresAt, by) => {
      if ((await visible(sessionId)) === undefined)
        return { refused: 'not-permitted', message: 'A private session can’t be shared through a link. Make it public first.' };
      const shareId = randomBytes(12).toString('base64url');
      const until = new Date(expiresAt).toISOString();
      const receipt = await engine.workspace({ type: 'share.create', commandId: newCommandId(), shareId, sharedSession: sessionId, expiresAt: until }, by);
      const share = engine.outside().shares.find(({ id }) => id === shareId);
      if (isRefusal(receipt)) return receipt;
      return share === undefined ? { refused: 'not-found', message: 'Somebody revoked it again.' } : shown(share);
    },
    revoke: async (id, by) => {
      const receipt = await engine.workspace({ type: 'share.revoke', commandId: newCommandId(), shareId: id }, by);
      return isRefusal(receipt) ? receipt : undefined;
    },
    open: async (token) => {
      const [, id = '', given = ''] = /^([\w-]{8,40})\.([\w-]{43})$/.exec(token) ?? [];
      if (id === '' || !timingSafeEqual(Buffer.from(signatureOf(id)), Buffer.from(given))) return undefined;
      const share = engine.outside().shares.find((one) => one.id === id);
      return share === undefined || Date.parse(share.expiresAt) <= now() ? undefined : visible(share.sessionId);
    },
  };
}
