import * as z from 'zod/mini';
import type { Connection, Frame } from './connection.ts';
import { frameIn } from './connection.ts';
import type { Door } from './door.ts';
import { sessionKeyOf, trimmed } from './trim.ts';

/** A session at its door: what it asked for goes to the Gateway under a name of its own, and events about its conversation come back. */
interface Line {
  readonly door: Door;
  readonly number: number;
  readonly keys: Set<string>;
  /** What it says before the Gateway is there. */
  waiting: string[] | undefined;
  isLeaving: boolean;
}

const Request = z.looseObject({ type: z.literal('req'), id: z.string(), method: z.string(), params: z.looseObject({ key: z.optional(z.string()) }) });
const Response = z.looseObject({ type: z.literal('res'), id: z.string(), ok: z.boolean() });

/** Connects doors with the one connection to the Gateway. Of what is said it understands no more than whom it concerns. */
export class Switchboard {
  private readonly lines = new Map<Door, Line>();
  private readonly awaited = new Map<string, (answer: Frame) => void>();
  private connection: Connection | undefined;
  private count = 0;

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  enter(door: Door): void {
    this.lines.set(door, { door, number: ++this.count, keys: new Set(), waiting: [], isLeaving: false });
    if (this.connection !== undefined) this.begin(door, this.connection);
  }

  connected(connection: Connection): void {
    this.connection = connection;
    for (const door of this.lines.keys()) this.begin(door, connection);
  }

  /** Nothing can be said to anybody any more: every session ends, and the next message of each begins anew. */
  lost(why: string): void {
    this.connection = undefined;
    this.awaited.clear();
    this.tellAll({ phase: 'lost', text: why });
    for (const door of [...this.lines.keys()]) this.remove(door);
  }

  tellAll(said: { readonly phase: string; readonly text: string }): void {
    for (const door of this.lines.keys()) door.put(JSON.stringify({ type: 'keeper', ...said }));
  }

  said(door: Door, text: string): void {
    const line = this.lines.get(door);
    if (line === undefined) return;
    if (line.waiting !== undefined || this.connection === undefined) line.waiting = [...(line.waiting ?? []), text];
    else this.pass(line, text, this.connection);
  }

  heard(frame: Frame): void {
    const response = Response.safeParse(frame);
    if (response.success) return this.answer(response.data);
    const key = sessionKeyOf(frame);
    const concerned = key === undefined ? [] : [...this.lines.values()].filter(({ keys }) => keys.has(key));
    const told = concerned.length === 0 ? undefined : trimmed(frame);
    if (told === undefined) return;
    const text = JSON.stringify(told);
    for (const { door } of concerned) door.put(text);
  }

  /** A session that gives no more lines works on nothing any more: what it began is stopped, and told to the end. */
  async leave(door: Door, settleMs: number): Promise<void> {
    const line = this.lines.get(door);
    if (line === undefined || line.isLeaving) return;
    line.isLeaving = true;
    const keys = [...line.keys];
    await Promise.all(keys.map((key) => this.ask('chat.abort', { sessionKey: key }, settleMs).then((answer) => this.settled(answer, settleMs))));
    await Promise.all(keys.map((key) => this.ask('sessions.messages.unsubscribe', { key }, settleMs)));
    this.remove(door);
  }

  private async settled(answer: Frame | undefined, settleMs: number): Promise<void> {
    const Aborted = z.looseObject({ payload: z.looseObject({ runIds: z.array(z.string()) }) });
    const aborted = Aborted.safeParse(answer);
    if (!aborted.success) return;
    await Promise.all(aborted.data.payload.runIds.map((runId) => this.ask('agent.wait', { runId, timeoutMs: settleMs }, settleMs)));
  }

  private begin(door: Door, { version }: Connection): void {
    const line = this.lines.get(door);
    if (line?.waiting === undefined || this.connection === undefined) return;
    const said = line.waiting;
    line.waiting = undefined;
    door.put(JSON.stringify({ type: 'keeper', phase: 'connected', version }));
    for (const text of said) this.pass(line, text, this.connection);
  }

  private pass(line: Line, text: string, { send, maxPayload }: Connection): void {
    const request = Request.safeParse(frameIn(text));
    if (!request.success) return;
    const { id, method, params } = request.data;
    if (method === 'sessions.messages.subscribe' && params.key !== undefined) line.keys.add(params.key);
    const numbered = JSON.stringify({ ...request.data, id: `${line.number}~${id}` });
    const bytes = Buffer.byteLength(numbered);
    if (bytes <= maxPayload) return send(numbered);
    const message = `This is too long for the Gateway: ${bytes} bytes, and it takes ${maxPayload}.`;
    line.door.put(JSON.stringify({ type: 'res', id, ok: false, error: { code: 'TOO_LONG', message } }));
  }

  private answer(frame: Frame & { readonly id: string }): void {
    const own = this.awaited.get(frame.id);
    if (own !== undefined) return own(frame);
    const [, number, id] = /^(\d+)~(.*)$/s.exec(frame.id) ?? [];
    const line = [...this.lines.values()].find((one) => String(one.number) === number);
    line?.door.put(JSON.stringify({ ...frame, id }));
  }

  /** A question of the keeper itself; undefined when the answer does not come in time. */
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

  private remove(door: Door): void {
    this.lines.delete(door);
    door.close();
  }
}
