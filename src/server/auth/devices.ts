import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { Actor, Role } from '../../protocol/actor.ts';
import type { DeviceAddress } from '../../protocol/api/outside/devices.ts';
import { isLoopback, isSecure, type ServerSettings } from '../shared/settings.ts';

const CODE_LIFE_MS = 10 * 60_000;
/** Without letters and digits that look alike. Forty bits, behind the limit for failed sign-ins. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_CHARS = 8;
/** Codes that wait at once; a new one beyond that ends the oldest. */
const PENDING_MAX = 50;

export interface PairedDevice {
  readonly name: string;
  readonly role: Role;
  /** Who pairs it, and whom it acts as; absent for a person of its own. */
  readonly by: Actor;
  readonly person?: string;
}

/** One-time codes by which a device signs in. They end with the server: a new one costs a click. */
export interface Devices {
  start(device: PairedDevice): { readonly code: string; readonly expiresAt: string };
  /** The device of a code, which is used up with this. */
  take(code: string): PairedDevice | undefined;
  /** Where a device can reach this server. */
  addresses(): readonly DeviceAddress[];
}

export function createDevices(now: () => number, addresses: Devices['addresses']): Devices {
  const pending = new Map<string, PairedDevice & { readonly endsAt: number }>();
  const dropOld = () => {
    for (const [code, { endsAt }] of pending) if (endsAt <= now() || pending.size > PENDING_MAX) pending.delete(code);
  };
  return {
    addresses,
    start: (device) => {
      const code = newCode();
      const endsAt = now() + CODE_LIFE_MS;
      pending.set(code, { ...device, endsAt });
      dropOld();
      return { code: shown(code), expiresAt: new Date(endsAt).toISOString() };
    },
    take: (typed) => {
      dropOld();
      const code = typed.toUpperCase().replace(/[\s-]/g, '');
      const device = pending.get(code);
      pending.delete(code);
      return device;
    },
  };
}

const newCode = (): string => Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
const shown = (code: string): string => `${code.slice(0, CODE_CHARS / 2)}-${code.slice(CODE_CHARS / 2)}`;

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Where a device can reach this server: its public address, then what its real interfaces have. Empty when it listens on this machine only. */
export function addressesFor(settings: ServerSettings, port: number, interfaces: Interfaces = networkInterfaces()): readonly DeviceAddress[] {
  const { host, publicUrl, basePath } = settings;
  const scheme = settings.tls === undefined ? 'http' : 'https';
  const own = publicUrl === undefined ? [] : [{ url: publicUrl, kind: publicUrl.startsWith('https:') ? 'https' : 'local' } as const];
  if (isLoopback(host)) return own;
  const listensEverywhere = host === '0.0.0.0' || host === '::';
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(
        ({ address, internal, family }) =>
          !internal && (listensEverywhere ? family === 'IPv4' || host === '::' : address === host) && !address.startsWith('fe80:'),
      )
      .map(({ address, family }) => ({
        url: `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}${basePath}`,
        kind: kindOf(name, address, isSecure(settings)),
      })),
  );
  return [...own, ...found].sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

const ORDER: readonly DeviceAddress['kind'][] = ['https', 'vpn', 'local'];

function kindOf(name: string, address: string, isTls: boolean): DeviceAddress['kind'] {
  if (isTls) return 'https';
  // Tailscale's range (RFC 6598), and the names that WireGuard, ZeroTier and others give their interfaces.
  const isVpn = /^(tailscale|wg|tun|utun|zt|nebula|nordlynx)/.test(name) || /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(address);
  return isVpn ? 'vpn' : 'local';
}
