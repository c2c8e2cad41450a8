import type { Engine } from '../../../engine/engine.ts';
import type { Actor, Role } from '../../../protocol/actor.ts';
import { isRefusal, type Refusal } from '../../../protocol/command.ts';
import { nameTaken, OWNER_NAME, TokenProblem } from '../../auth/named-tokens.ts';
import type { Tokens } from '../../auth/tokens.ts';
import { type AuthStores, isStillAuthorized } from '../../ws/heartbeat.ts';
import type { Hub } from '../../ws/hub.ts';
import type { TokenManager } from '../route.ts';
import { newCommandId } from './session.ts';

/**
 * Tokens over HTTP, in the same file that the command line uses. The event is durable before the file changes: a crash in between
 * leaves a request that can be repeated, never a token without a record of who created it.
 */
export const createTokenManager = (
  tokens: Tokens,
  engine: Pick<Engine, 'workspace'>,
  hub: Pick<Hub, 'clients'>,
  signIns: AuthStores['signIns'],
): TokenManager => ({
  list: () => tokens.list(),
  add: (name, role, by, person) => add(tokens, engine, { name, role, by, person }),
  revoke: async (name, by) => {
    const revoked = await revoke(tokens, engine, name, by);
    for (const client of hub.clients()) isStillAuthorized(client, { tokens, signIns });
    return revoked;
  },
});

interface NewTokenFor {
  readonly name: string;
  readonly role: Role;
  readonly by: Actor;
  readonly person: string | undefined;
}

async function add(tokens: Tokens, engine: Pick<Engine, 'workspace'>, { name, role, by, person }: NewTokenFor) {
  if (isKnown(tokens, name)) return taken(name);
  const receipt = await engine.workspace({ type: 'token.add', commandId: newCommandId(), name, role }, by);
  if (isRefusal(receipt)) return receipt;
  try {
    return { secret: tokens.add(name, role, person) };
  } catch (error) {
    if (error instanceof TokenProblem) return taken(name);
    throw error;
  }
}

async function revoke(tokens: Tokens, engine: Pick<Engine, 'workspace'>, name: string, by: Actor) {
  if (name === OWNER_NAME) return OWNERS_OWN;
  if (!isKnown(tokens, name)) return unknown(name);
  const receipt = await engine.workspace({ type: 'token.revoke', commandId: newCommandId(), name }, by);
  if (isRefusal(receipt)) return receipt;
  return tokens.revoke(name) ? { name } : unknown(name);
}

const isKnown = (tokens: Tokens, name: string): boolean => tokens.list().some((token) => token.name === name);
const taken = (name: string): Refusal => ({ refused: 'conflict', message: nameTaken(name) });
const unknown = (name: string): Refusal => ({ refused: 'not-found', message: `There is no token named "${name}".` });

const OWNERS_OWN: Refusal = {
  refused: 'conflict',
  message: 'The owner’s token is in the file "token" in the data folder. To replace it, delete the file and restart the server.',
};
