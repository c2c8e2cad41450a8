import type { ClientFrame, ServerFrame, You } from '../../../src/protocol/frame.ts';
import type { Outbox, OutboxEntry } from '../storage/outbox.ts';
import { authorOf, type Effect, type Link, type LinkInput, newLink, type SettlingFrame, wakeAt } from './link.ts';
import { parseFrame } from './parse-frame.ts';
import { step } from './step.ts';

export interface SocketOptions {
  readonly url: string;
  /** The current key of this browser's sign-in; programs have none. */
  readonly key?: () => Promise<string | undefined>;
  readonly outbox: Outbox;
  /** Called with every frame that is in sequence. */
  readonly onFrame: (frame: ServerFrame) => void;
  /** Called when an entry is durable or refused. */
  readonly onSettled: (entry: OutboxEntry, frame: SettlingFrame) => void | Promise<void>;
  /** Called when a different user signs in; `author` made what the page has so far. */
  readonly onSignedIn: (you: You, author: string | undefined) => void;
  /** Called with an entry without an author; it is deleted afterwards. */
  readonly onUnattributed: (entry: OutboxEntry) => Promise<void>;
  readonly onLink: (link: Link) => void;
  /** Resolves to false if we aren't signed in. */
  readonly probe: () => Promise<boolean>;
  readonly WebSocket?: typeof WebSocket;
  readonly now?: () => number;
  readonly random?: () => number;
}

export interface Client {
  /** `after`: the last event that the page already has. */
  subscribe(sessionId: string, after?: number): void;
  unsubscribe(sessionId: string): void;
  resubscribe(sessionId: string): void;
  /** Sent now or after the next welcome. Resolves to whether the browser stored it: if not, it lasts as long as the page. */
  send(entry: OutboxEntry): Promise<boolean>;
  /** Sent now or not at all; false without a connection. */
  say(frame: ClientFrame): boolean;
  nudge(): void;
  /** This browser was signed out. */
  signedOut(): void;
  close(): void;
}

/** Runs `step` with one WebSocket and one timer. */
export async function openClient(options: SocketOptions): Promise<Client> {
  const { outbox } = options;
  const driver = new SocketDriver(options, newLink(await outbox.all().catch(() => []), await outbox.lastKnown().catch(() => undefined)));
  driver.feed({ kind: 'start' });
  return {
    subscribe: (sessionId, after) => driver.feed({ kind: 'subscribe', sessionId, ...(after === undefined ? {} : { after }) }),
    unsubscribe: (sessionId) => driver.feed({ kind: 'unsubscribe', sessionId }),
    resubscribe: (sessionId) => driver.feed({ kind: 'resubscribe', sessionId }),
    send: (entry) => driver.send(entry),
    say: (frame) => driver.say(frame),
    nudge: () => driver.feed({ kind: 'nudge' }),
    signedOut: () => driver.feed({ kind: 'unauthorised' }),
    close: () => driver.feed({ kind: 'stop' }),
  };
}

class SocketDriver {
  private socket: WebSocket | undefined;
  private timer: { readonly at: number; readonly id: ReturnType<typeof setTimeout> } | undefined;
  private meter: UploadMeter | undefined;

  constructor(
    private readonly options: SocketOptions,
    private link: Link,
  ) {}

  feed(input: LinkInput): void {
    const now = this.options.now?.() ?? Date.now();
    const random = this.options.random?.() ?? Math.random();
    const next = step(this.link, input, { now, random });
    const changed = next.link !== this.link;
    this.link = next.link;
    for (const effect of next.effects) this.perform(effect);
    if (changed) this.options.onLink(this.link);
    // A timer may fire slightly early. Such a tick changes nothing, and must not be the last one.
    if (changed || input.kind === 'tick') this.setTimer(now);
  }

  async send(made: OutboxEntry): Promise<boolean> {
    const by = authorOf(this.link);
    const entry = by === undefined ? made : { ...made, by };
    // A browser that can't store anything must not block sending: then only the page keeps it.
    const isStored = await this.options.outbox.put(entry).then(
      () => true,
      () => false,
    );
    this.feed({ kind: 'send', entry });
    return isStored;
  }

  say(frame: ClientFrame): boolean {
    this.feed({ kind: 'say', frame });
    return this.link.phase.name === 'open';
  }

  private perform(effect: Effect) {
    switch (effect.kind) {
      case 'connect':
        return this.connect();
      case 'disconnect':
        return this.release();
      case 'transmit':
        return this.meter?.send(JSON.stringify(effect.frame));
      case 'deliver':
        return this.options.onFrame(effect.frame);
      case 'settled':
        return this.forgetAfter(effect.entry, this.options.onSettled(effect.entry, effect.frame));
      case 'signedIn':
        this.options.onSignedIn(effect.you, effect.author);
        return void this.options.outbox.know(effect.you.id).catch(() => undefined);
      case 'keep':
        return void this.options.outbox.put(effect.entry).catch(() => undefined);
      case 'unattributed':
        return this.forgetAfter(effect.entry, this.options.onUnattributed(effect.entry));
      case 'probe':
        return void this.options.probe().then((known) => known || this.feed({ kind: 'unauthorised' }));
    }
  }

  /** If `done` fails, the entry stays in the outbox. */
  private forgetAfter({ commandId }: OutboxEntry, done: void | Promise<void>): void {
    void Promise.resolve(done)
      .then(() => this.options.outbox.remove(commandId))
      .catch(() => undefined);
  }

  private connect(): void {
    this.release();
    const socket = new (this.options.WebSocket ?? WebSocket)(this.options.url);
    this.socket = socket;
    this.meter = new UploadMeter(socket);
    socket.onopen = () => void this.greet(socket);
    socket.onmessage = (message: MessageEvent) => this.receive(String(message.data));
    socket.onclose = (event: CloseEvent) => this.feed({ kind: 'closed', code: event.code });
    socket.onerror = () => undefined;
  }

  private async greet(socket: WebSocket): Promise<void> {
    const key = await this.options.key?.();
    // It may be closing by now: then the next socket says hello.
    if (this.socket === socket && socket.readyState === socket.OPEN) this.feed({ kind: 'opened', key });
  }

  /** Drops the socket without waiting for a close event, which a dead one never sends. */
  private release(): void {
    const socket = this.socket;
    this.socket = this.meter = undefined;
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private receive(text: string): void {
    const frame = parseFrame(text);
    this.feed(frame === undefined ? { kind: 'received' } : { kind: 'frame', frame });
  }

  /** A timer that fires too early is set again: a new one for every frame would cost too much. */
  private setTimer(now: number): void {
    const at = wakeAt(this.link);
    if (this.timer !== undefined && at !== undefined && this.timer.at <= at) return;
    clearTimeout(this.timer?.id);
    this.timer = at === undefined ? undefined : { at, id: setTimeout(() => this.tick(), Math.max(0, at - now)) };
  }

  private tick(): void {
    this.timer = undefined;
    this.feed({ kind: 'tick', isDraining: this.meter?.isDraining() === true });
  }
}

/** Knows whether a socket is still making progress with what it was given. */
class UploadMeter {
  /** Bytes that were still unsent at the last check, plus those added since. */
  private unsent = 0;

  constructor(private readonly socket: WebSocket) {}

  send(text: string): void {
    const before = this.socket.bufferedAmount;
    this.socket.send(text);
    this.unsent += this.socket.bufferedAmount - before;
  }

  /** Whether bytes left since the last check. The last ones don't count: the system accepts those even for a dead connection. */
  isDraining(): boolean {
    const before = this.unsent;
    this.unsent = this.socket.bufferedAmount;
    return this.unsent > 0 && this.unsent < before;
  }
}
