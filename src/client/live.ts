import { type Client, openClient } from '../../web/client/socket/socket.ts';
import { memoryOutbox } from '../../web/client/storage/outbox.ts';
import type { ServerFrame } from '../protocol/frame.ts';

export interface LiveOptions {
  /** Such as `http://127.0.0.1:4750`. */
  readonly url: string;
  readonly token: string;
  /** Called with every frame, in order; after a lost connection it continues where it was. */
  readonly onFrame: (frame: ServerFrame) => void;
  /** Called when something sent is durable, or was refused. */
  readonly onSettled?: (frame: Extract<ServerFrame, { type: 'ack' | 'refused' }>) => void;
  /** Called when the connection is there or lost; `stopped` means that it doesn't try again. */
  readonly onState?: (state: 'open' | 'connecting' | 'waiting' | 'stopped') => void;
  /** For a Node without a WebSocket of its own (before 22): that of the package `ws`. */
  readonly WebSocket?: typeof WebSocket;
}

/** The page's own socket: reconnects by itself, and sends each message once, however often the connection is lost. */
export function openLive({ url, token, onFrame, onSettled, onState, WebSocket: socket }: LiveOptions): Promise<Client> {
  const address = new URL(`${url.replace(/\/$/, '')}/ws`.replace(/^http/, 'ws'));
  address.searchParams.set('token', token);
  const probe = async (): Promise<boolean> =>
    (await fetch(`${url.replace(/\/$/, '')}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status !== 401;
  return openClient({
    url: address.href,
    outbox: memoryOutbox(),
    onFrame,
    onSettled: (_entry, frame) => onSettled?.(frame),
    onSignedIn: () => undefined,
    onUnattributed: async () => undefined,
    onLink: ({ phase }) => onState?.(phase.name),
    // No answer at all says nothing about the token.
    probe: () => probe().catch(() => true),
    ...(socket !== undefined && { WebSocket: socket }),
  });
}
