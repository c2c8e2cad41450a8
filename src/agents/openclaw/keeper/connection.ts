import { WebSocket } from 'ws';
import * as z from 'zod/mini';
import type { GatewaySettings } from './settings.ts';

/** A frame from the Gateway. */
export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Connection {
  readonly version: string;
  /** A longer frame would cost all sessions the connection. */
  readonly maxPayload: number;
  send(text: string): void;
  close(): void;
}

export interface ConnectionEvents {
  onFrame(frame: Frame): void;
  lost(why: string): void;
}

/** Nothing listens on the port. */
export class NotListening extends Error {
  override readonly name = 'NotListening';
}

/** The Gateway listens, but isn't ready. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

const CONNECT_ID = 'keeper:connect';
/** Connecting took 0.7 s on a busy machine. */
const HELLO_MS = 20_000;

const AnyFrame = z.looseObject({ type: z.string() });
const Challenge = z.object({ event: z.literal('connect.challenge') });
const Hello = z.object({
  id: z.literal(CONNECT_ID),
  ok: z.boolean(),
  payload: z.optional(z.looseObject({ server: z.looseObject({ version: z.string() }), policy: z.looseObject({ maxPayload: z.int() }) })),
  error: z.optional(z.looseObject({ message: z.string(), retryable: z.optional(z.boolean()) })),
});

/** Protocol 4: challenge, our connect request as operator, hello. On loopback the shared secret is enough (2026.9.6). */
export function connect({ port, auth }: GatewaySettings, events: ConnectionEvents): Promise<Connection> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { maxPayload: 256 * 1024 * 1024, handshakeTimeout: HELLO_MS });
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.terminate();
      reject(error);
    };
    const timer = setTimeout(() => fail(new NotReady(`no hello within ${HELLO_MS / 1000} s`)), HELLO_MS);
    let isConnected = false;
    socket.on('error', (error) => (isConnected ? undefined : fail(new NotListening(error.message))));
    socket.on('close', (code, reason) => {
      const why = `${code}${reason.length > 0 ? ` ${reason.toString()}` : ''}`;
      if (isConnected) events.lost(why);
      else fail(new NotReady(`it closed the connection (${why})`));
    });
    socket.on('message', (data) => {
      const frame = parseFrame(data.toString());
      if (frame === undefined) return;
      if (isConnected) return events.onFrame(frame);
      if (Challenge.safeParse(frame).success) return socket.send(JSON.stringify(connectRequest(auth)));
      const hello = Hello.safeParse(frame);
      if (!hello.success) return;
      const { ok, payload, error } = hello.data;
      if (!ok || payload === undefined) return fail(error?.retryable ? new NotReady(error.message) : new Error(error?.message ?? 'it refuses us'));
      clearTimeout(timer);
      isConnected = true;
      const { server, policy } = payload;
      resolve({ version: server.version, maxPayload: policy.maxPayload, send: (text) => socket.send(text), close: () => socket.close() });
    });
  });
}

const connectRequest = (auth: GatewaySettings['auth']) => ({
  type: 'req',
  id: CONNECT_ID,
  method: 'connect',
  params: {
    minProtocol: 4,
    maxProtocol: 4,
    client: { id: 'gateway-client', displayName: 'Signalbox', version: '1', platform: process.platform, mode: 'backend' },
    role: 'operator',
    // The last scope is needed for two session settings: streaming its thinking, and running everything.
    scopes: ['operator.read', 'operator.write', 'operator.approvals', 'operator.admin'],
    caps: ['tool-events', 'approvals', 'exec-approvals', 'plugin-approvals'],
    commands: [],
    permissions: {},
    auth,
  },
});

export function parseFrame(text: string): Frame | undefined {
  try {
    const parsed = AnyFrame.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
