import type { Channel } from '../../cluster/channels.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type Client, send } from '../ws/client.ts';
import { DELTA_BOUND_BYTES } from '../ws/socket-writer.ts';
import { wireFrame, wireText } from '../ws/wire-frame.ts';
import { lastKnownOf } from './last-known.ts';
import { type RemoteContext, vouchFor } from './remote-context.ts';
import type { ViewMessage } from './remote-pipe.ts';

/** What one client watches on one other machine. */
interface View {
  readonly client: Client;
  readonly node: string;
  channel: Channel | undefined;
  readonly sessions: Map<SessionId, Watched>;
  /** Bytes passed on that the other machine doesn't know about yet. */
  owed: number;
}

interface Watched {
  readonly after: number | undefined;
  /** Whether the client got a snapshot, and asks again by itself when told to. */
  isShown: boolean;
}

/** The other machine may send a megabyte ahead; it hears of progress four times in that. */
const OWED_BYTES = 256 * 1024;
const AGAIN_MS = 500;

/** Sessions of other machines that our clients watch. The other machine's hub sends what it would send to a page of its own; here it is passed on. */
export class RemoteViews {
  readonly #views = new Map<Client, Map<string, View>>();

  constructor(private readonly context: RemoteContext) {}

  subscribe(client: Client, node: string, sessionId: SessionId, after: number | undefined): void {
    const view = this.#viewOf(client, node);
    view.sessions.set(sessionId, { after, isShown: false });
    this.#ask(view, sessionId);
  }

  unsubscribe(client: Client, sessionId: SessionId): void {
    for (const view of this.#views.get(client)?.values() ?? []) {
      if (!view.sessions.delete(sessionId)) continue;
      this.#say(view, { type: 'unsubscribe', sessionId });
      if (view.sessions.size === 0) this.#end(view);
    }
  }

  leave(client: Client): void {
    for (const view of [...(this.#views.get(client)?.values() ?? [])]) this.#end(view);
  }

  /** The client has caught up, so the other machine may send more. */
  drained(client: Client): void {
    for (const view of this.#views.get(client)?.values() ?? []) this.#repay(view);
  }

  /** Machines came or went: what was waiting for one is asked for again. */
  machinesChanged(): void {
    for (const views of this.#views.values()) {
      for (const view of views.values()) if (view.channel === undefined) for (const id of view.sessions.keys()) this.#ask(view, id);
    }
  }

  #viewOf(client: Client, node: string): View {
    const views = this.#views.get(client) ?? new Map<string, View>();
    this.#views.set(client, views);
    const known = views.get(node);
    if (known !== undefined) return known;
    const view: View = { client, node, channel: undefined, sessions: new Map(), owed: 0 };
    views.set(node, view);
    return view;
  }

  /** Asks the owner for a session. When it can't be reached, the client sees what was last known, and gets the rest when it can. */
  #ask(view: View, sessionId: SessionId): void {
    const watched = view.sessions.get(sessionId);
    if (watched === undefined) return;
    view.channel ??= this.#open(view);
    if (view.channel === undefined) return this.#showLastKnown(view, sessionId, watched);
    // A client that has a snapshot knows better from where to continue.
    if (watched.isShown) return view.client.writer.write(wireFrame({ type: 'resubscribe', sessionId }));
    this.#say(view, { type: 'subscribe', sessionId, ...(watched.after !== undefined && { after: watched.after }) });
  }

  #open(view: View): Channel | undefined {
    const who = vouchFor(this.context, view.client.identity, view.client.from);
    view.owed = 0;
    const channel = this.context.cluster.open(view.node, who, {
      message: (bytes) => this.#pass(view, bytes),
      drained: () => undefined,
      closed: () => {
        if (view.channel === channel) this.#lost(view);
      },
    });
    return channel;
  }

  #say(view: View, message: ViewMessage): void {
    view.channel?.send(Buffer.from(JSON.stringify(message)));
  }

  /** Only frames about sessions that this client watches there: another machine has no say about anything else. */
  #pass(view: View, bytes: Buffer): void {
    const [, type, id] = HEAD.exec(bytes.subarray(0, HEAD_BYTES).toString('latin1')) ?? [];
    const watched = view.sessions.get(id as SessionId);
    if (watched !== undefined && type !== undefined && PASSED.has(type)) {
      if (type === 'snapshot') watched.isShown = true;
      view.client.writer.write(wireText(bytes.toString('utf8')));
    }
    view.owed += bytes.length;
    if (view.owed >= OWED_BYTES) this.#repay(view);
  }

  /** A client that is behind gets no more; the other machine then treats it as a slow one. */
  #repay(view: View): void {
    if (view.owed === 0 || view.client.writer.queuedBytes() > DELTA_BOUND_BYTES) return;
    view.channel?.consumed(view.owed);
    view.owed = 0;
  }

  /** The channel broke. Soon asked for again, or when the machine is back. */
  #lost(view: View): void {
    view.channel = undefined;
    const { problems } = this.context;
    problems
      .after('show sessions of other machines', AGAIN_MS, () => {
        if (view.channel === undefined) for (const id of [...view.sessions.keys()]) this.#ask(view, id);
      })
      .unref();
  }

  #showLastKnown({ client }: View, sessionId: SessionId, watched: Watched): void {
    const session = lastKnownOf(this.context, sessionId);
    if (session === undefined) return;
    send(client, { type: 'status', sessionId, status: session.status, session });
    // A page that has nothing yet shows what is known; one with a transcript keeps it.
    if (watched.isShown || watched.after !== undefined) return;
    watched.isShown = true;
    send(client, { type: 'snapshot', sessionId, session, events: [], firstSeq: 1, seq: 0, partial: [] });
  }

  #end(view: View): void {
    const views = this.#views.get(view.client);
    views?.delete(view.node);
    if (views?.size === 0) this.#views.delete(view.client);
    const { channel } = view;
    view.channel = undefined;
    view.sessions.clear();
    channel?.close('left');
  }
}

const HEAD_BYTES = 200;
const HEAD = /^\{"type":"([a-z.]+)","sessionId":"([A-Za-z0-9_-]+)"/;
const PASSED = new Set(['snapshot', 'event', 'delta', 'delta.dropped', 'status', 'resubscribe', 'refused']);
