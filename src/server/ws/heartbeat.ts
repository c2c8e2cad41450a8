import { forEach, type Problems } from '../../problems/problems.ts';
import { CLOSE_CODES } from '../../protocol/frame.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import type { Identity, Tokens } from '../auth/tokens.ts';
import { type Client, tell } from './client.ts';

export const HEARTBEAT_MS = 20_000;

/** Pings everyone; whoever neither answered nor took nor gave a byte since the last beat is gone, and whose token was revoked is shown out. */
export function startHeartbeat(clients: () => Iterable<Client>, by: Admission, problems: Problems, everyMs: number): () => void {
  const timer = problems.every('check on connections', everyMs, () => forEach(clients(), (client) => beat(client, by)));
  timer.unref();
  return () => clearInterval(timer);
}

/** What a client was let in by. */
export interface Admission {
  readonly tokens: Pick<Tokens, 'named'>;
  readonly signIns: Pick<SignIns, 'identityOf'>;
}

/** Looks once more at the token, and the sign-in, by which a client came in, and shows it out when that is gone. */
export function isStillLetIn(client: Client, { tokens, signIns }: Admission): boolean {
  const now = tokenNow(tokens, client.identity.name);
  if (now === undefined || now.hash !== client.identity.hash) {
    client.close(CLOSE_CODES.unauthorised, 'This token was revoked');
    return false;
  }
  if (client.signIn !== undefined && signIns.identityOf(client.signIn) === undefined) {
    client.close(CLOSE_CODES.unauthorised, 'This sign-in has ended');
    return false;
  }
  client.identity = now;
  return true;
}

/** A list of tokens that cannot be read lets nobody in by it; that must not end the server. */
function tokenNow(tokens: Pick<Tokens, 'named'>, name: string): Identity | undefined {
  try {
    return tokens.named(name);
  } catch {
    return undefined;
  }
}

function beat(client: Client, by: Admission) {
  if (!isStillLetIn(client, by)) return;
  const takenBytes = client.pipe.takenBytes();
  // A slow line that still takes bytes is slow, not dead: its answer to the ping waits behind what we sent.
  const isTaking = client.pipe.queuedBytes() > 0 && takenBytes > client.beat.takenBytes;
  const givenBytes = client.pipe.givenBytes();
  const isGiving = givenBytes > client.beat.givenBytes;
  if (!client.beat.answered && !isTaking && !isGiving) return client.pipe.cut();
  client.beat = { answered: false, takenBytes, givenBytes };
  // Its own ping waits behind what it sends: a page that uploads for long must hear without asking that we are here.
  if (isGiving) tell(client, { type: 'pong' });
  client.ping();
}
