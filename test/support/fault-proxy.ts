import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What the line between two programs does to the bytes that go from the server to the client. */
export type Fault =
  | { readonly kind: 'none' }
  /** Nothing passes until the fault is changed. */
  | { readonly kind: 'stall' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is cut after this many bytes. */
  | { readonly kind: 'cut-after'; readonly bytes: number };

export interface FaultProxy {
  readonly port: number;
  /** For connections that are open and those to come. */
  set(fault: Fault): void;
  /** Cuts every open connection now. */
  cut(): void;
  readonly connections: number;
  close(): Promise<void>;
}

interface Line {
  fault: Fault;
  released: () => void;
  changed: Promise<void>;
  readonly sockets: Set<Socket>;
}

/** A TCP proxy on a free port in front of `targetPort`. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const line: Line = { fault: { kind: 'none' }, released: () => undefined, changed: Promise.resolve(), sockets: new Set() };
  const server = createServer((client) => join(line, client, connect(targetPort, '127.0.0.1')));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const cut = () => line.sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    set(fault) {
      const { released } = line;
      line.fault = fault;
      line.changed = new Promise((resolve) => (line.released = resolve));
      released();
    },
    cut,
    get connections() {
      return line.sockets.size / 2;
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      line.released();
      cut();
      return closed;
    },
  };
}

function join(line: Line, client: Socket, target: Socket): void {
  for (const [socket, other] of [
    [client, target],
    [target, client],
  ] as const) {
    line.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      line.sockets.delete(socket);
      other.destroy();
    });
  }
  client.pipe(target);
  void carry(line, target, client);
}

async function carry(line: Line, from: Socket, to: Socket): Promise<void> {
  let passed = 0;
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      while (line.fault.kind === 'stall' && !to.destroyed) await line.changed;
      if (line.fault.kind === 'delay') await pause(line.fault.ms);
      const room = line.fault.kind === 'cut-after' ? Math.max(0, line.fault.bytes - passed) : chunk.length;
      passed += Math.min(room, chunk.length);
      if (!to.write(chunk.subarray(0, room))) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      if (room < chunk.length) break;
    }
  } catch {
    // The other end went away: both are closed below.
  }
  to.end();
  from.destroy();
}
