import * as z from 'zod/mini';
import type { Connection, Frame } from './connection.ts';
import { parseFrame } from './connection.ts';
import type { RelayConnection } from './relay-connection.ts';
import { sessionKeyOf, trimmed } from './trim-event.ts';

/** A session: its requests go to the Gateway under their own ids, and events about its conversation come back. */
interface Line {
  readonly relay: RelayConnection;
  readonly number: number;
  readonly keys: Set<string>;
  /** Requests from before the Gateway is connected. */
  waiting: string[] | undefined;
  isLeaving: boolean;
}

const Request = z.looseObject({ type: z.literal('req'), id: z.string(), method: z.string(), params: z.looseObject({ key: z.optional(z.string()) }) });
const Response = z.looseObject({ type: z.literal('res'), id: z.string(), ok: z.boolean() });

/** Routes messages between relays and the one Gateway connection. It only reads whom a message is for. */
export class MessageRouter {
  private readonly lines = new Map<RelayConnection, Line>();
  private readonly awaited = new Map<string, (answer: Frame) => void>();
  private connection: Connection | undefined;
  private count = 0;

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  enter(relay: RelayConnection): void {
    this.lines.set(relay, { relay, number: ++this.count, keys: new Set(), waiting: [], isLeaving: false });
    if (this.connection !== undefined) this.begin(relay, this.connection);
  }

  connected(connection: Connection): void {
    this.connection = connection;
    for (const relay of this.lines.keys()) this.begin(relay, connection);
  }

  /** The connection is gone: every session ends, and its next message starts a new process. */
  lost(why: string): void {
    this.connection = undefined;
    this.awaited.clear();
    this.sendToAll({ phase: 'lost', text: why });
    for (const relay of [...this.lines.keys()]) this.remove(relay);
  }

  sendToAll(fromRelay: { readonly phase: string; readonly text: string }): void {
    for (const relay of this.lines.keys()) relay.put(JSON.stringify({ type: 'keeper', ...fromRelay }));
  }

  fromRelay(relay: RelayConnection, text: string): void {
    const line = this.lines.get(relay);
    if (line === undefined) return;
    if (line.waiting !== undefined || this.connection === undefined) line.waiting = [...(line.waiting ?? []), text];
    else this.pass(line, text, this.connection);
  }

  onFrame(frame: Frame): void {
    const response = Response.safeParse(frame);
    if (response.success) return this.answer(response.data);
    const key = sessionKeyOf(frame);
    const concerned = key === undefined ? [] : [...this.lines.values()].filter(({ keys }) => keys.has(key));
    const reported = concerned.length === 0 ? undefined : trimmed(frame);
    if (reported === undefined) return;
    const text = JSON.stringify(reported);
    for (const { relay } of concerned) relay.put(text);
  }

  /** When a session's input ends, its runs are stopped, and reported to the end. */
  async leave(relay: RelayConnection, settleMs: number): Promise<void> {
    const line = this.lines.get(relay);
    if (line === undefined || line.isLeaving) return;
    line.isLeaving = true;
    const keys = [...line.keys];
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

  private begin(relay: RelayConnection, { version }: Connection): void {
    const line = this.lines.get(relay);
    if (line?.waiting === undefined || this.connection === undefined) return;
    const fromRelay = line.waiting;
    line.waiting = undefined;
    relay.put(JSON.stringify({ type: 'keeper', phase: 'connected', version }));
    for (const text of fromRelay) this.pass(line, text, this.connection);
  }

  private pass(line: Line, text: string, { send, maxPayload }: Connection): void {
    const request = Request.safeParse(parseFrame(text));
    if (!request.success) return;
    const { id, method, params } = request.data;
    if (method === 'sessions.messages.subscribe' && params.key !== undefined) line.keys.add(params.key);
    const numbered = JSON.stringify({ ...request.data, id: `${line.number}~${id}` });
    const bytes = Buffer.byteLength(numbered);
    if (bytes <= maxPayload) return send(numbered);
    const message = `This message is too long for the Gateway: ${bytes} bytes, the limit is ${maxPayload}.`;
    line.relay.put(JSON.stringify({ type: 'res', id, ok: false, error: { code: 'TOO_LONG', message } }));
  }

  private answer(frame: Frame & { readonly id: string }): void {
    const own = this.awaited.get(frame.id);
    if (own !== undefined) return own(frame);
    const [, number, id] = /^(\d+)~(.*)$/s.exec(frame.id) ?? [];
    const line = [...this.lines.values()].find((one) => String(one.number) === number);
    line?.relay.put(JSON.stringify({ ...frame, id }));
  }

  /** A request of the keeper itself; undefined when the answer doesn't arrive in time. */
  private ask(method: string, params: object, limitMs: number): Promise<Frame | undefined> {
    const { connection } = this;
    const id = `keeper:${++this.count}`;
    if (connection === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const done = (answer?: Frame): void => {
        clearTimeout(timer);
        this.awaited.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(done, limitMs);
      this.awaited.set(id, done);
      connection.send(JSON.stringify({ type: 'req', id, method, params }));
    });
  }

  private remove(relay: RelayConnection): void {
    this.lines.delete(relay);
    relay.close();
  }
}
