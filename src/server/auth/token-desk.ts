import type { TokenDesk } from '../http/route.ts';
import { isStillLetIn } from '../ws/heartbeat.ts';
import type { Hub } from '../ws/hub.ts';
import type { Tokens } from './tokens.ts';

/** Tokens over HTTP: the same file as the command line's. Whoever loses a token loses open connections with it. */
export const tokenDesk = (tokens: Tokens, hub: Pick<Hub, 'clients'>): TokenDesk => ({
  list: () => tokens.list(),
  add: (name, role) => tokens.add(name, role),
  revoke: (name) => {
    const revoked = tokens.revoke(name);
    for (const client of hub.clients()) isStillLetIn(client, tokens);
    return revoked;
  },
});
