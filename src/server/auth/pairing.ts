import type { FastifyInstance, FastifyReply } from 'fastify';
import { isRefusal } from '../../protocol/command.ts';
import type { TokenManager } from '../http/route.ts';
import type { Devices } from './devices.ts';
import type { AuthContext } from './gate.ts';
import { atBase, field, finishSignIn, sendPage } from './sign-in.ts';
import { pairingPage } from './sign-in-page.ts';

/** The page that a QR code leads to. Only its button uses the code up, so looking at the address costs nothing. */
export function mountPairing(app: FastifyInstance, auth: AuthContext, devices: Devices, tokens: Pick<TokenManager, 'add'>): void {
  const action = atBase(auth, '/pair');
  const show = (reply: FastifyReply, status: number, problem?: string) =>
    sendPage(reply, status, pairingPage({ action, ...(problem !== undefined && { problem }) }));
  app.get('/pair', (_request, reply) => show(reply, 200));
  app.post('/pair', async (request, reply) => {
    const wait = auth.signInLimit.waitSeconds(request.ip);
    if (wait > 0) return show(reply.header('retry-after', String(wait)), 429, `Too many wrong codes from this address. Try again in ${wait} seconds.`);
    const device = devices.take(field(request.body, 'code'));
    if (device === undefined) {
      auth.signInLimit.failed(request.ip);
      return show(reply, 401, 'This code is wrong, was used already, or is older than 10 minutes. Create a new one with “Add a device”.');
    }
    const { name, role, by, person } = device;
    const added = await tokens.add(name, role, by, person);
    if (isRefusal(added)) return show(reply, 409, added.message);
    const identity = auth.tokens.verify(added.secret);
    if (identity === undefined) {
      auth.tokens.revoke(name);
      return show(reply, 409, 'The person who added this device no longer has access. Ask an owner.');
    }
    return finishSignIn(auth, request, reply, { identity, next: '/' });
  });
}
