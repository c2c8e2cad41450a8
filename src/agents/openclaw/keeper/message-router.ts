import * as z from 'zod/mini';
import type { Connection, Frame } from './connection.ts';
import { parseFrame } from './connection.ts';
import type { RelayConnection } from './relay-connection.ts';
import { sessionKeyOf, trimmed } from './trim-event.ts';

/** A session: its requests go to the Gateway under their own ids, and events about its conversation come back. */
interface Session {
  readonly relay: RelayConnection;
  readonly number: number;
  readonly keys: Set<string>;
  /** Requests from before the Gateway is connected. */
  waiting: string[] | undefined;
  isLeaving: boolean;
}

const Request = z.looseObject({ type: z.literal('req'), id: z.string(), method: z.string(), params: z.looseObject({ key: z.optional(z.string()) }) });
const Response = z.looseObject({ type: z.literal('res'), id: z.string(), ok: z.boolean() });

/** Routes messages between relays and the one Gateway connection. It reads only the fields that say who gets a message. */
export class MessageRouter {
  private readonly sessions = new Map<RelayConnection, Session>();
  private readonly pendingAnswers = new Map<string, (answer: Frame) => void>();
  private connection: Connection | undefined;
  private count = 0;

  get isEmpty(): boolean {
    return this.sessions.size === 0;
  }

  enter(relay: RelayConnection): void {
    this.sessions.set(relay, { relay, number: ++this.count, keys: new Set(), waiting: [], isLeaving: false });
    if (this.connection !== undefined) this.start(relay, this.connection);
  }

  connected(connection: Connection): void {
    this.connection = connection;
    for (const relay of this.sessions.keys()) this.start(relay, connection);
  }

  /** The connection is gone: every session ends, and its next message starts a new process. */
  lost(why: string): void {
    this.connection = undefined;
    this.pendingAnswers.clear();
    this.sendToAll({ phase: 'lost', text: why });
    for (const relay of [...this.sessions.keys()]) this.remove(relay);
  }

  sendToAll(status: { readonly phase: string; readonly text: string }): void {
    for (const relay of this.sessions.keys()) relay.put(JSON.stringify({ type: 'keeper', ...status }));
  }

  fromRelay(relay: RelayConnection, text: string): void {
    const session = this.sessions.get(relay);
    if (session === undefined) return;
    if (session.waiting !== undefined || this.connection === undefined) session.waiting = [...(session.waiting ?? []), text];
    else this.pass(session, text, this.connection);
  }

  onFrame(frame: Frame): void {
    const response = Response.safeParse(frame);
    if (response.success) return this.answer(response.data);
    const key = sessionKeyOf(frame);
    const recipients = key === undefined ? [] : [...this.sessions.values()].filter(({ keys }) => keys.has(key));
    const shortened = recipients.length === 0 ? undefined : trimmed(frame);
    if (shortened === undefined) return;
    const text = JSON.stringify(shortened);
    for (const { relay } of recipients) relay.put(text);
  }

  /** When a session's input ends, its runs are stopped, and reported to the end. */
  async leave(relay: RelayConnection, settleMs: number): Promise<void> {
    const session = this.sessions.get(relay);
    if (session === undefined || session.isLeaving) return;
    session.isLeaving = true;
    const keys = [...session.keys];
    await Promise.all(keys.map((key) => this.ask('chat.abort', { sessionKey: key }, settleMs).then((answer) => this.settled(answer, settleMs))));
    await Promise.all(keys.map((key) => this.ask('sessions.messages.unsubscribe', { key }, settleMs)));
    this.remove(relay);
  }

  private async settled(answer: Frame | undefined, settleMs: number): Promise<void> {
    const Aborted = z.looseObject({ payload: z.looseObject({ runIds: z.array(z.string()) }) });
    const aborted = Aborted.safeParse(answer);
    if (!aborted.success) return;
    await Promise.all(aborted.data.payload.runIds.map((runId) => this.ask('agent.wait', { runId, timeoutMs: settleMs }, settleMs)));
  }

  private start(relay: RelayConnection, { version }: Connection): void {
    const session = this.sessions.get(relay);
    if (session?.waiting === undefined || this.connection === undefined) return;
    const waiting = session.waiting;
    session.waiting = undefined;
    relay.put(JSON.stringify({ type: 'keeper', phase: 'connected', version }));
    for (const text of waiting) this.pass(session, text, this.connection);
  }

  private pass(session: Session, text: string, { send, maxPayload }: Connection): void {
    const request = Request.safeParse(parseFrame(text));
    if (!request.success) return;
    const { id, method, params } = request.data;
    if (method === 'sessions.messages.subscribe' && params.key !== undefined) session.keys.add(params.key);
    const numbered = JSON.stringify({ ...request.data, id: `${session.number}~${id}` });
    const bytes = Buffer.byteLength(numbered);
    if (bytes <= maxPayload) return send(numbered);
    const message = `This message is too long for the Gateway: ${bytes} bytes, the limit is ${maxPayload}.`;
    session.relay.put(JSON.stringify({ type: 'res', id, ok: false, error: { code: 'TOO_LONG', message } }));
  }

  private answer(frame: Frame & { readonly id: string }): void {
    const own = this.pendingAnswers.get(frame.id);
    if (own !== undefined) return own(frame);
    const [, number, id] = /^(\d+)~(.*)$/s.exec(frame.id) ?? [];
    const session = [...this.sessions.values()].find((one) => String(one.number) === number);
    session?.relay.put(JSON.stringify({ ...frame, id }));
  }

  /** A request of the keeper itself; undefined when the answer doesn't arrive in time. */
  private ask(method: string, params: object, limitMs: number): Promise<Frame | undefined> {
    const { connection } = this;
    const id = `keeper:${++this.count}`;
    if (connection === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const done = (answer?: Frame): void => {
        clearTimeout(timer);
        this.pendingAnswers.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(done, limitMs);
      this.pendingAnswers.set(id, done);
      connection.send(JSON.stringify({ type: 'req', id, method, params }));
    });
  }

  private remove(relay: RelayConnection): void {
    this.sessions.delete(relay);
    relay.close();
  }
}
