import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { Session } from '../../protocol/session.ts';
import type { SharedSession } from '../../protocol/shared-session.ts';
import type { Identity } from '../auth/tokens.ts';
import { maybeAway } from './away.ts';
import { callAll } from './call.ts';
import { type RemoteContext, vouchFor } from './remote-context.ts';

/** Where a session is. `local` also when nobody has it: this machine then says so. */
export type Place = { readonly kind: 'local' } | { readonly kind: 'remote'; readonly node: string };

const LOCAL: Place = { kind: 'local' };
const PROBE_MS = 2000;

/**
 * Finds the machine of a session. A session that nobody is known to have is asked for everywhere: its summary may not have arrived yet. While a machine is away, it
 * can't be said that a session doesn't exist.
 */
export async function locate(context: RemoteContext, id: SessionId, who: Identity, from: string): Promise<Place | Refusal> {
  const { engine, sessionIndex } = context.local;
  if (engine.session(id) !== undefined) return LOCAL;
  const known = context.store.session(id);
  if (known === undefined || known.shared.session.past !== undefined) {
    if ((await sessionIndex.session(id)) !== undefined) return LOCAL;
  }
  return known === undefined ? probe(context, id, who, from) : { kind: 'remote', node: known.node };
}

async function probe(context: RemoteContext, id: SessionId, who: Identity, from: string): Promise<Place | Refusal> {
  const request = { method: 'GET', url: `/api/sessions/${encodeURIComponent(id)}`, body: new Uint8Array(), who: vouchFor(context, who, from) };
  const { found, silent } = await callAll(context, request, PROBE_MS);
  const holder = found.find(({ response }) => response.status === 200);
  if (holder !== undefined) {
    learn(context, holder.node, holder.response.body);
    return { kind: 'remote', node: holder.node };
  }
  const unsure = [...silent, ...found.filter(({ response }) => response.status !== 404).map(({ node }) => node)];
  return unsure.length > 0 || context.cluster.state === 'joining' || context.cluster.state === 'unreachable' ? maybeAway(context, unsure) : LOCAL;
}

/** Keeps what was found, until its machine shares something newer. */
function learn({ cluster, store }: RemoteContext, node: string, body: Buffer): void {
  const session = Session.safeParse(JSON.parse(body.toString('utf8')));
  const epoch = cluster.others().get(node)?.life.epoch ?? 0;
  if (!session.success) return;
  const summary: SharedSession = { session: session.data, waiting: [], resolved: [] };
  store.changed(node, [{ id: session.data.id, version: { epoch, number: 0 }, summary }]);
}

export const isPlace = (found: Place | Refusal): found is Place => !isRefusal(found);
