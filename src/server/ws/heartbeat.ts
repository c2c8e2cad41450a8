import { forEach, type Problems } from '../../problems/problems.ts';
import { CLOSE_CODES } from '../../protocol/frame.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import type { Identity, Tokens } from '../auth/tokens.ts';
import { type Client, send } from './client.ts';

export const HEARTBEAT_MS = 20_000;

/** Pings every client. Drops those that neither answered nor moved a byte since the last beat, and those whose token was revoked. */
export function startHeartbeat(clients: () => Iterable<Client>, by: AuthStores, problems: Problems, everyMs: number): () => void {
  const timer = problems.every('check on connections', everyMs, () => forEach(clients(), (client) => beat(client, by)));
  timer.unref();
  return () => clearInterval(timer);
}

/** What a client authenticated with. */
export interface AuthStores {
  readonly tokens: Pick<Tokens, 'named'>;
  readonly signIns: Pick<SignIns, 'identityOf'>;
}

/** Checks a client's token and sign-in again, and closes the connection if either is gone. */
export function isStillAuthorized(client: Client, { tokens, signIns }: AuthStores): boolean {
  // Their own machine checks them, and closes the view when they may no longer see it.
  if (client.identity.via !== undefined) return true;
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

/** If the token list can't be read, nobody is authorized by it, but the server keeps running. */
function tokenNow(tokens: Pick<Tokens, 'named'>, name: string): Identity | undefined {
  try {
    return tokens.named(name);
  } catch {
    return undefined;
  }
}

function beat(client: Client, by: AuthStores) {
  if (!isStillAuthorized(client, by)) return;
  const sentBytes = client.writer.sentBytes();
  // A slow client that still reads isn't dead: its pong waits behind what we sent.
  const isReading = client.writer.queuedBytes() > 0 && sentBytes > client.beat.sentBytes;
  const receivedBytes = client.writer.receivedBytes();
  const isSending = receivedBytes > client.beat.receivedBytes;
  if (!client.beat.answered && !isReading && !isSending) return client.writer.cut();
  client.beat = { answered: false, sentBytes, receivedBytes };
  // The client's own ping waits behind its upload, so send a pong unasked to show that the server is still there.
  if (isSending) send(client, { type: 'pong' });
  client.ping();
}
