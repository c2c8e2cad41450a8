import * as z from 'zod/mini';
import { Role, TokenName } from '../../actor.ts';

/** `for`: whose device it is. A device of yours acts as you; one of somebody else is a person of its own, which only an owner can add. */
export const NewDeviceBody = z.object({ name: TokenName, role: Role, for: z.optional(z.enum(['me', 'someone-else'])) });

/** An address under which a device may reach this server, the safest first. */
export const DeviceAddress = z.object({
  url: z.string(),
  /** `vpn`: a network of one's own devices, such as Tailscale or WireGuard; `local`: anybody on the same network can read along. */
  kind: z.enum(['https', 'vpn', 'local']),
});
export type DeviceAddress = z.infer<typeof DeviceAddress>;

export const NewDevice = z.object({
  /** Works once. */
  code: z.string(),
  expiresAt: z.string(),
  addresses: z.array(DeviceAddress),
});
export type NewDevice = z.infer<typeof NewDevice>;

export const Device = z.object({ name: z.string(), role: Role, createdAt: z.optional(z.string()), lastUsedAt: z.optional(z.string()) });
export type Device = z.infer<typeof Device>;
export const DeviceList = z.object({ devices: z.array(Device) });

/** The page that takes a code. The code is in the fragment, which no server, log or link preview sees. */
export const pairingAddress = (url: string, code: string): string => `${url.replace(/\/?$/, '/')}pair#${code}`;
