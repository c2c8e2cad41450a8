import * as z from 'zod/mini';
import { type Actor, TokenName } from '../../../protocol/actor.ts';
import { DeviceList, NewDevice, NewDeviceBody } from '../../../protocol/api/outside/devices.ts';
import { isRefusal, type Refusal } from '../../../protocol/command.ts';
import { type KnownToken, RevokedToken } from '../../../protocol/http.ts';
import { mayActAs } from '../../auth/roles.ts';
import { type Route, route } from '../route.ts';

export const DEVICE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/devices',
    role: 'viewer',
    summary: 'The caller’s own devices',
    answer: { status: 200, schema: DeviceList },
    handle: ({ tokens }, { actor }) => ({ status: 200, body: { devices: devicesOf(tokens.list(), actor) } }),
  }),
  route({
    method: 'POST',
    path: '/api/devices',
    role: 'viewer',
    summary:
      'A code that works once within 10 minutes and signs a device in as the caller, up to the caller’s role. An owner can also add a device for somebody else',
    body: NewDeviceBody,
    answer: { status: 201, schema: NewDevice },
    refusals: [403, 409],
    handle: ({ devices, tokens }, { body, actor, role }) => {
      const isOwn = body.for !== 'someone-else';
      if (!isOwn && role !== 'owner') return refused('Only an owner can add a device for somebody else.');
      if (!mayActAs(role, body.role)) return refused(`Your device can have your own role at most, which is ${role}.`);
      if (tokens.list().some(({ name }) => name === body.name)) {
        return { refused: 'conflict', message: `There is already a device or token named "${body.name}". Choose another name, or revoke that one first.` };
      }
      const started = devices.start({ name: body.name, role: body.role, by: actor, ...(isOwn && { person: actor.id }) });
      return { status: 201, body: { ...started, addresses: [...devices.addresses()] } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/devices/:name',
    role: 'viewer',
    summary: 'Revoke one of the caller’s own devices; it is signed out immediately',
    params: z.object({ name: TokenName }),
    answer: { status: 200, schema: RevokedToken },
    refusals: [404],
    handle: async ({ tokens }, { params, actor }) => {
      if (!devicesOf(tokens.list(), actor).some(({ name }) => name === params.name)) {
        return { refused: 'not-found', message: `You have no device named "${params.name}".` };
      }
      const revoked = await tokens.revoke(params.name, actor);
      return isRefusal(revoked) ? revoked : { status: 200, body: revoked };
    },
  }),
];

const refused = (message: string): Refusal => ({ refused: 'not-permitted', message });

const devicesOf = (tokens: readonly KnownToken[], { id }: Actor) =>
  tokens
    .filter(({ person }) => person === id)
    .map(({ name, role, createdAt, lastUsedAt }) => ({ name, role, ...(createdAt && { createdAt }), ...(lastUsedAt && { lastUsedAt }) }));
