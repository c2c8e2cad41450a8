import * as z from 'zod/mini';
import type { RemoteResponse } from '../../cluster/requests-out.ts';
import { type Command, isRefusal, REFUSAL_CODES, type Receipt, type Refusal } from '../../protocol/command.ts';
import { ErrorBody } from '../../protocol/http.ts';
import type { Client } from '../ws/client.ts';
import { call } from './call.ts';
import { isPlace, locate } from './locate.ts';
import { type RemoteContext, vouchFor } from './remote-context.ts';

/** Sends a command of a socket to the machine that has its session; undefined: it is for this machine. */
export async function submit(context: RemoteContext, client: Client, command: Command): Promise<Receipt | Refusal | undefined> {
  const sent = requestOf(command);
  if (sent === undefined || client.identity.via !== undefined) return undefined;
  const place = await locate(context, command.sessionId, client.identity, client.from);
  if (!isPlace(place)) return place;
  if (place.kind === 'local') return undefined;
  const request = { ...sent, type: 'application/json', who: vouchFor(context, client.identity, client.from) };
  const response = await call(context, place.node, request, { isRead: false, isRepeatable: true });
  return isRefusal(response) ? response : receiptIn(command, response);
}

/** The commands that a socket can send, as the requests that mean the same. */
function requestOf(command: Command): { readonly method: string; readonly url: string; readonly body: Buffer } | undefined {
  const { type, sessionId, ...fields } = command;
  const post = (url: string, body: object) => ({ method: 'POST', url, body: Buffer.from(JSON.stringify(body)) });
  switch (type) {
    case 'input.send':
      return post(`/api/sessions/${sessionId}/input`, fields);
    case 'turn.interrupt':
      return post(`/api/sessions/${sessionId}/interrupt`, { commandId: command.commandId });
    case 'permission.answer': {
      const { requestId, ...answer } = fields as { readonly requestId: string };
      return post(`/api/permissions/${encodeURIComponent(requestId)}`, answer);
    }
    default:
      return undefined;
  }
}

const Accepted = z.object({ seq: z.int(), queued: z.optional(z.boolean()) });

function receiptIn({ commandId, sessionId }: Command, { status, body }: RemoteResponse): Receipt | Refusal {
  const json: unknown = JSON.parse(body.toString('utf8'));
  const accepted = z.safeParse(Accepted, json);
  if (status < 300 && accepted.success) return { commandId, sessionId, seq: accepted.data.seq, queued: accepted.data.queued === true };
  const error = z.safeParse(ErrorBody, json);
  const code = REFUSAL_CODES.find((one) => one === error.data?.error.code);
  return { refused: code ?? 'bad-request', message: error.data?.error.message ?? 'The other machine refused this.' };
}
