import type { Engine } from '../../engine/engine.ts';
import type { Actor, Role } from '../../protocol/actor.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { TokenDesk } from '../http/route.ts';
import { newCommandId } from '../http/routes/session.ts';
import { type Admission, isStillLetIn } from '../ws/heartbeat.ts';
import type { Hub } from '../ws/hub.ts';
import { nameTaken, OWNER_NAME, TokenProblem } from './named-tokens.ts';
import type { Tokens } from './tokens.ts';

/**
 * Tokens over HTTP: the same file as the command line's. What is decided is durable before the file is changed: a kill between
 * leaves something that can be asked again, and never a token of which nobody knows who gave it.
 */
export const tokenDesk = (tokens: Tokens, engine: Pick<Engine, 'house'>, hub: Pick<Hub, 'clients'>, signIns: Admission['signIns']): TokenDesk => ({
  list: () => tokens.list(),
  add: (name, role, by) => add(tokens, engine, { name, role, by }),
  revoke: async (name, by) => {
    const revoked = await revoke(tokens, engine, name, by);
    for (const client of hub.clients()) isStillLetIn(client, { tokens, signIns });
    return revoked;
  },
});

async function add(tokens: Tokens, engine: Pick<Engine, 'house'>, { name, role, by }: { name: string; role: Role; by: Actor }) {
  if (isKnown(tokens, name)) return taken(name);
  const receipt = await engine.house({ type: 'token.add', commandId: newCommandId(), name, role }, by);
  if (isRefusal(receipt)) return receipt;
  try {
    return { secret: tokens.add(name, role) };
  } catch (error) {
    if (error instanceof TokenProblem) return taken(name);
    throw error;
  }
}

async function revoke(tokens: Tokens, engine: Pick<Engine, 'house'>, name: string, by: Actor) {
  if (name === OWNER_NAME) return OWNERS_OWN;
  if (!isKnown(tokens, name)) return unknown(name);
  const receipt = await engine.house({ type: 'token.revoke', commandId: newCommandId(), name }, by);
  if (isRefusal(receipt)) return receipt;
  return tokens.revoke(name) ? { name } : unknown(name);
}

const isKnown = (tokens: Tokens, name: string): boolean => tokens.list().some((token) => token.name === name);
const taken = (name: string): Refusal => ({ refused: 'conflict', message: nameTaken(name) });
const unknown = (name: string): Refusal => ({ refused: 'not-found', message: `There is no token named ${name}` });

const OWNERS_OWN: Refusal = {
  refused: 'conflict',
  message: 'The owner’s token is the file "token" of the data folder: delete it and start the server again, and a new one is made',
};
