import * as z from 'zod/mini';
import type { Life } from '../../cluster/carrier.ts';
import type { Channel, ChannelListener } from '../../cluster/channels.ts';
import { jsonOf, type Vouched } from '../../cluster/frames.ts';
import { SessionId } from '../../protocol/ids.ts';
import { engineFor, indexFor } from '../auth/access.ts';
import { type Client, send } from '../ws/client.ts';
import type { SocketWriter } from '../ws/socket-writer.ts';
import type { WireFrame } from '../ws/wire-frame.ts';
import { identityOf } from './answer.ts';
import type { RemoteContext } from './remote-context.ts';

/** What another machine asks of a view. Commands come as requests. */
export const ViewMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), sessionId: SessionId, after: z.optional(z.int().check(z.minimum(0))) }),
  z.object({ type: z.literal('unsubscribe'), sessionId: SessionId }),
]);
export type ViewMessage = z.infer<typeof ViewMessage>;

/** A client of another machine, as one more client of our hub: it sees what a page here would, and a slow one is treated like a slow page. */
export function acceptView(context: RemoteContext, from: Life, who: Vouched, channel: Channel): ChannelListener {
  const { hub, engine, sessionIndex } = context.local;
  const identity = identityOf(context, from, who);
  const pipe = openPipe(channel);
  const client: Client = {
    writer: pipe.writer,
    identity,
    signIn: undefined,
    from: who.from,
    engine: engineFor(engine, () => identity, sessionIndex),
    sessionIndex: indexFor(sessionIndex, engine, () => identity),
    subscriptions: new Map(),
    list: 'off',
    behind: new Set(),
    commandsInFlight: 0,
    beat: { answered: true, sentBytes: 0, receivedBytes: 0 },
    close: (_code, reason) => channel.close(reason),
    // The channel gives signs of life itself.
    ping: () => {
      client.beat.answered = true;
    },
  };
  hub.join(client);
  return {
    message: (bytes) => {
      channel.consumed(bytes.length);
      const message = z.safeParse(ViewMessage, jsonOf(bytes));
      if (message.success) watch(context, client, message.data);
    },
    drained: () => hub.drained(client),
    closed: () => hub.leave(client),
  };
}

function watch({ local: { hub }, log }: RemoteContext, client: Client, message: ViewMessage): void {
  const { sessionId } = message;
  if (message.type === 'unsubscribe') return hub.unsubscribe(client, sessionId);
  if (hub.subscribe(client, sessionId, message.after)) return;
  const refuse = (): void => send(client, { type: 'refused', sessionId, code: 'not-found', message: `There is no session ${sessionId}` });
  hub.subscribeToPast(client, sessionId, message.after).then(
    (isThere) => isThere || refuse(),
    (error: unknown) => {
      log.error({ err: error, sessionId }, 'a past session could not be read');
      refuse();
    },
  );
}

function openPipe(channel: Channel): { readonly writer: SocketWriter } {
  let sentBytes = 0;
  return {
    writer: {
      write: (frame) => {
        const text = textOf(frame);
        sentBytes += text.length;
        channel.send(text);
      },
      queuedBytes: () => channel.queuedBytes(),
      willDrain: () => channel.queuedBytes() > 0,
      sentBytes: () => sentBytes,
      receivedBytes: () => 0,
      cut: () => channel.close('slow'),
    },
  };
}

/** Without the header of the socket's frame, which the other machine writes for its own client. */
function textOf(frame: WireFrame): Buffer {
  const length = frame[1] ?? 0;
  return frame.subarray(length === 127 ? 10 : length === 126 ? 4 : 2);
}
