import { connect } from '../../src/agents/openclaw/keeper/connection.ts';
import { MessageRouter } from '../../src/agents/openclaw/keeper/message-router.ts';
import { settingsOf } from '../../src/agents/openclaw/keeper/settings.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import type { Example } from './example.ts';

/** A client of the running Gateway with its own connection: no relay, keeper, journal or server in between. */
export async function openGatewayClient({ env }: Example, { onLine, onFailure }: ChannelEvents): Promise<Channel> {
  const router = new MessageRouter();
  const relay = { name: 'alone', put: onLine, close: () => undefined };
  const connection = await connect(settingsOf('', env), { onFrame: (frame) => router.onFrame(frame), lost: onFailure });
  router.enter(relay);
  router.connected(connection);
  return {
    write: (line) => router.fromRelay(relay, line),
    close: async () => connection.close(),
  };
}
