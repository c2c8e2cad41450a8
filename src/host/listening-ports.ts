import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { HAS_PROC } from './identity.ts';

/** A TCP port that a process listens on. */
export interface ListeningPort {
  readonly port: number;
  /** The address it is bound to: one of this machine, or `0.0.0.0` and `::` for all of them. */
  readonly address: string;
  /** The program's name. */
  readonly program: string;
}

/** What these processes listen on, lowest port first. Only on systems with /proc; sockets that children inherited appear once. */
export function portsOf(pids: readonly number[]): readonly ListeningPort[] {
  if (!HAS_PROC || pids.length === 0) return [];
  const sockets = listeningSockets();
  const found = new Map<string, ListeningPort>();
  for (const pid of pids) {
    for (const inode of socketsOf(pid)) {
      const socket = sockets.get(inode);
      const key = `${socket?.port} ${socket?.address}`;
      if (socket !== undefined && !found.has(key)) found.set(key, { ...socket, program: programOf(pid) });
    }
  }
  return [...found.values()].sort((a, b) => a.port - b.port || a.address.localeCompare(b.address));
}

type Socket = Pick<ListeningPort, 'port' | 'address'>;

const LISTENING = '0A';

function listeningSockets(): ReadonlyMap<string, Socket> {
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => textOf(file).split('\n').slice(1));
  return new Map(lines.flatMap((line) => parseSocket(line)));
}

/** `sl local_address rem_address st … inode`. Addresses are hexadecimal, in groups of four bytes, the last one first. */
export function parseSocket(line: string): readonly (readonly [string, Socket])[] {
  const fields = line.trim().split(/\s+/);
  const [address = '', port = ''] = (fields[1] ?? '').split(':');
  const inode = fields[9];
  if (fields[3] !== LISTENING || inode === undefined || !/^([0-9A-F]{8}|[0-9A-F]{32})$/.test(address)) return [];
  return [[inode, { port: Number.parseInt(port, 16), address: addressText(address) }]];
}

function addressText(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((group) => (group.match(/../g) ?? []).reverse()).map((byte) => Number.parseInt(byte, 16));
  if (bytes.length === 4) return bytes.join('.');
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isMapped) return bytes.slice(12).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

function socketsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return []; // gone, or another user's
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

const programOf = (pid: number): string => textOf(`/proc/${pid}/comm`).trim();
