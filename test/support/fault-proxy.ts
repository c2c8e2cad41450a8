import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What the proxy does to the bytes from the server to the client. */
export type Fault =
  | { readonly kind: 'none' }
  /** No byte passes until the fault is changed. */
  | { readonly kind: 'stall' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is cut after this many bytes. */
  | { readonly kind: 'cut-after'; readonly bytes: number };

export interface FaultProxy {
  readonly port: number;
  /** Applies to open and future connections. */
  set(fault: Fault): void;
  /** Cuts every open connection now. */
  cut(): void;
  readonly connections: number;
  close(): Promise<void>;
}

interface Link {
  fault: Fault;
  released: () => void;
  changed: Promise<void>;
  readonly sockets: Set<Socket>;
}

/** A TCP proxy on a free port in front of `targetPort`. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const link: Link = { fault: { kind: 'none' }, released: () => undefined, changed: Promise.resolve(), sockets: new Set() };
  const server = createServer((client) => join(link, client, connect(targetPort, '127.0.0.1')));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const cut = () => link.sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    set(fault) {
      const { released } = link;
      link.fault = fault;
      link.changed = new Promise((resolve) => (link.released = resolve));
      released();
    },
    cut,
    get connections() {
      return link.sockets.size / 2;
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      link.released();
      cut();
      return closed;
    },
  };
}

function join(link: Link, client: Socket, target: Socket): void {
  for (const [socket, other] of [
    [client, target],
    [target, client],
  ] as const) {
    link.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      link.sockets.delete(socket);
      other.destroy();
    });
  }
  client.pipe(target);
  void forward(link, target, client);
}

async function forward(link: Link, from: Socket, to: Socket): Promise<void> {
  let passed = 0;
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      while (link.fault.kind === 'stall' && !to.destroyed) await link.changed;
      if (link.fault.kind === 'delay') await pause(link.fault.ms);
      const room = link.fault.kind === 'cut-after' ? Math.max(0, link.fault.bytes - passed) : chunk.length;
      passed += Math.min(room, chunk.length);
      if (!to.write(chunk.subarray(0, room))) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      if (room < chunk.length) break;
    }
  } catch {
    // One side closed the connection. Both are closed below.
  }
  to.end();
  from.destroy();
}
