import type { ClientFrame, ServerFrame, You } from '../../../src/protocol/frame.ts';
import type { Outbox, OutboxEntry } from '../storage/outbox.ts';
import { authorOf, type Effect, type Link, type LinkInput, newLink, type SettlingFrame, wakeAt } from './link.ts';
import { parseFrame, readyForEvents } from './parse-frame.ts';
import { step } from './step.ts';
import { UploadMeter } from './upload-meter.ts';

export interface SocketOptions {
  readonly url: string;
  /** The key of this browser's sign-in, as it stands now; a program has none. */
  readonly key?: () => Promise<string | undefined>;
  readonly outbox: Outbox;
  /** Called with everything the server says that is in order. */
  readonly onFrame: (frame: ServerFrame) => void;
  /** Called when something sent is durable, or was refused. */
  readonly onSettled: (entry: OutboxEntry, frame: SettlingFrame) => void | Promise<void>;
  /** Called when somebody else than before is here; `author` made what the page holds so far. */
  readonly onSeated: (you: You, author: string | undefined) => void;
  /** Called with what nobody is known to have made; it is forgotten when that is done. */
  readonly onDisowned: (entry: OutboxEntry) => Promise<void>;
  readonly onLink: (link: Link) => void;
  /** Resolves to false when the server does not know us. */
  readonly probe: () => Promise<boolean>;
  readonly WebSocket?: typeof WebSocket;
  readonly now?: () => number;
  readonly random?: () => number;
}

export interface Client {
  /** `after`: the last event the page already has. */
  subscribe(sessionId: string, after?: number): void;
  unsubscribe(sessionId: string): void;
  resubscribe(sessionId: string): void;
  /** Sent now or after the next welcome. Resolves to whether the browser keeps it: if not, it lives as long as the page. */
  send(entry: OutboxEntry): Promise<boolean>;
  /** Says it now or not at all; false when there is no connection. */
  say(frame: ClientFrame): boolean;
  nudge(): void;
  /** Somebody signed this browser out. */
  signedOut(): void;
  close(): void;
}

/** The rim around `step`: one WebSocket, one timer. */
export async function openClient(options: SocketOptions): Promise<Client> {
  const { outbox } = options;
  const rim = new Rim(options, newLink(await outbox.all().catch(() => []), await outbox.lastKnown().catch(() => undefined)));
  rim.feed({ kind: 'start' });
  return {
    subscribe: (sessionId, after) => rim.feed({ kind: 'subscribe', sessionId, ...(after === undefined ? {} : { after }) }),
    unsubscribe: (sessionId) => rim.feed({ kind: 'unsubscribe', sessionId }),
    resubscribe: (sessionId) => rim.feed({ kind: 'resubscribe', sessionId }),
    send: (entry) => rim.send(entry),
    say: (frame) => rim.say(frame),
    nudge: () => rim.feed({ kind: 'nudge' }),
    signedOut: () => rim.feed({ kind: 'unauthorised' }),
    close: () => rim.feed({ kind: 'stop' }),
  };
}

class Rim {
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
    // A timer may fire a moment before the clock says so. Such a tick changes nothing, and must not be the last one.
    if (changed || input.kind === 'tick') this.setTimer(now);
  }

  async send(made: OutboxEntry): Promise<boolean> {
    const by = authorOf(this.link);
    const entry = by === undefined ? made : { ...made, by };
    // A browser that refuses to store anything must not stop a person from speaking: it is then kept by the page alone.
    const isKept = await this.options.outbox.put(entry).then(
      () => true,
      () => false,
    );
    this.feed({ kind: 'send', entry });
    return isKept;
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
      case 'seated':
        this.options.onSeated(effect.you, effect.author);
        return void this.options.outbox.know(effect.you.id).catch(() => undefined);
      case 'keep':
        return void this.options.outbox.put(effect.entry).catch(() => undefined);
      case 'disowned':
        return this.forgetAfter(effect.entry, this.options.onDisowned(effect.entry));
      case 'probe':
        return void this.options.probe().then((known) => known || this.feed({ kind: 'unauthorised' }));
    }
  }

  /** What could not be put elsewhere stays in the outbox. */
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
    socket.onmessage = (message: MessageEvent) => this.hear(String(message.data));
    socket.onclose = (event: CloseEvent) => this.feed({ kind: 'closed', code: event.code });
    socket.onerror = () => undefined;
    readyForEvents();
  }

  private async greet(socket: WebSocket): Promise<void> {
    const key = await this.options.key?.();
    // It may be closing by now: then the next one says hello.
    if (this.socket === socket && socket.readyState === socket.OPEN) this.feed({ kind: 'opened', key });
  }

  /** Lets go of the socket without waiting for a close that a dead one never tells. */
  private release(): void {
    const socket = this.socket;
    this.socket = this.meter = undefined;
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private hear(text: string): void {
    const frame = parseFrame(text);
    this.feed(frame === undefined ? { kind: 'heard' } : { kind: 'frame', frame });
  }

  /** A timer that comes too early asks again: one for every frame would cost more than what it says. */
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
