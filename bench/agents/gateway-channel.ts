import { connect } from '../../src/agents/openclaw/keeper/connection.ts';
import { settingsOf } from '../../src/agents/openclaw/keeper/settings.ts';
import { Switchboard } from '../../src/agents/openclaw/keeper/switchboard.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import type { Example } from './example.ts';

/** A client of the Gateway that runs already: its own connection, with no relay, no keeper, no journal and no server in between. */
export async function openGatewayClient({ env }: Example, { heard, failed }: ChannelEvents): Promise<Channel> {
  const board = new Switchboard();
  const door = { name: 'alone', put: heard, close: () => undefined };
  const connection = await connect(settingsOf('', env), { heard: (frame) => board.heard(frame), lost: failed });
  board.enter(door);
  board.connected(connection);
  return {
    write: (line) => board.said(door, line),
    close: async () => connection.close(),
  };
}
