import type { ClientFrame, ServerFrame } from '../../src/protocol/frame.ts';
import { type Effect, type Link, type LinkInput, newLink, type SettlingFrame, wakeAt } from './link.ts';
import type { Outbox, OutboxEntry } from './outbox.ts';
import { parseFrame } from './parse-frame.ts';
import { step } from './step.ts';

export interface SocketOptions {
  readonly url: string;
  readonly outbox: Outbox;
  /** Called with everything the server says that is in order. */
  readonly onFrame: (frame: ServerFrame) => void;
  /** Called when something sent is durable, or was refused. */
  readonly onSettled: (entry: OutboxEntry, frame: SettlingFrame) => void;
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
  /** Resolves when the entry is kept; it is sent then, or after the next welcome. */
  send(entry: OutboxEntry): Promise<void>;
  /** Says it now or not at all; false when there is no connection. */
  say(frame: ClientFrame): boolean;
  nudge(): void;
  close(): void;
}

/** The rim around `step`: one WebSocket, one timer. */
export async function openClient(options: SocketOptions): Promise<Client> {
  const rim = new Rim(options, newLink(await options.outbox.all()));
  rim.feed({ kind: 'start' });
  return {
    subscribe: (sessionId, after) => rim.feed({ kind: 'subscribe', sessionId, ...(after === undefined ? {} : { after }) }),
    unsubscribe: (sessionId) => rim.feed({ kind: 'unsubscribe', sessionId }),
    resubscribe: (sessionId) => rim.feed({ kind: 'resubscribe', sessionId }),
    send: (entry) => rim.send(entry),
    say: (frame) => rim.say(frame),
    nudge: () => rim.feed({ kind: 'nudge' }),
    close: () => rim.feed({ kind: 'stop' }),
  };
}

class Rim {
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

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

  async send(entry: OutboxEntry): Promise<void> {
    // A browser that refuses to store anything must not stop a person from speaking: it is then kept by the page alone.
    await this.options.outbox.put(entry).catch(() => undefined);
    this.feed({ kind: 'send', entry });
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
        return this.socket?.send(JSON.stringify(effect.frame));
      case 'deliver':
        return this.options.onFrame(effect.frame);
      case 'settled':
        this.options.onSettled(effect.entry, effect.frame);
        return void this.options.outbox.remove(effect.entry.commandId).catch(() => undefined);
      case 'probe':
        return void this.options.probe().then((known) => known || this.feed({ kind: 'unauthorised' }));
    }
  }

  private connect(): void {
    this.release();
    const socket = new (this.options.WebSocket ?? WebSocket)(this.options.url);
    this.socket = socket;
    socket.onopen = () => this.feed({ kind: 'opened' });
    socket.onmessage = (message: MessageEvent) => this.hear(String(message.data));
    socket.onclose = (event: CloseEvent) => this.feed({ kind: 'closed', code: event.code });
    socket.onerror = () => undefined;
  }

  /** Lets go of the socket without waiting for a close that a dead one never tells. */
  private release(): void {
    const socket = this.socket;
    this.socket = undefined;
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private hear(text: string): void {
    const frame = parseFrame(text);
    this.feed(frame === undefined ? { kind: 'heard' } : { kind: 'frame', frame });
  }

  private setTimer(now: number): void {
    clearTimeout(this.timer);
    const at = wakeAt(this.link);
    if (at !== undefined) this.timer = setTimeout(() => this.feed({ kind: 'tick' }), Math.max(0, at - now));
  }
}
