import * as z from 'zod/mini';
import { markableKey } from '../../../domain/transcript/fold-item-marked.ts';
import { ItemMarkBody, isRefusal, type Refusal } from '../../../protocol/command.ts';
import { CommandAnswer } from '../../../protocol/http.ts';
import { CommandId, SessionId } from '../../../protocol/ids.ts';
import { anySession, eventsOf } from '../../shared/transcripts.ts';
import { type Route, route, type Services } from '../route.ts';
import { newCommandId, noSession } from './session.ts';

const OfItem = z.object({ id: SessionId, seq: z.coerce.number().check(z.int(), z.minimum(1)) });

export const ITEM_ROUTES: readonly Route[] = [
  route({
    method: 'PATCH',
    path: '/api/sessions/:id/items/:seq',
    role: 'driver',
    summary: 'Set star, tags or note on one message, named by any of its events; null removes a note',
    params: OfItem,
    body: z.object({ ...ItemMarkBody.shape, commandId: z.optional(CommandId) }),
    answer: { status: 200, schema: CommandAnswer },
    refusals: [404, 422],
    handle: async (services, { params: { id, seq }, body, actor }) => {
      const { engine } = services;
      const item = await itemAt(services, id, seq);
      if (typeof item !== 'string') return item;
      const command = { type: 'item.mark', sessionId: id, seq, item, ...body, commandId: body.commandId ?? newCommandId() } as const;
      const receipt = await engine.submit(command, actor);
      return isRefusal(receipt) ? receipt : { status: 200, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  }),
];

async function itemAt(services: Services, id: SessionId, seq: number): Promise<string | Refusal> {
  const session = await anySession(services, id);
  if (session === undefined) return noSession(id);
  const [event] = await eventsOf(services, session, { after: seq - 1, limit: 1 });
  if (event?.seq !== seq) return { refused: 'not-found', message: `There is no event ${seq} in session ${id}` };
  const key = markableKey(event);
  return (
    key ?? {
      refused: 'bad-request',
      message: `Event ${seq} is ${event.type}, not part of a message. Use an event of a message, a tool call or the end of a turn.`,
    }
  );
}
