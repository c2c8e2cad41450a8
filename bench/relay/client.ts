import { WebSocket } from 'ws';
import type { ClientOrder, ClientReport, RelayAddress } from './client-messages.ts';
import { ReceivedText } from './received-text.ts';

// The client runs in a separate process, so its CPU time doesn't count for the server. The parent sends orders, it reports back.

interface Listener {
  readonly texts: Map<string, ReceivedText>;
  /** Highest seq received, by session. */
  readonly seqs: Map<string, number>;
  seqGaps: number;
  resubscribed: number;
}

let socket: WebSocket;
let relay: RelayAddress;
let listening: Listener = fresh([], false);
let expected = 0;

const AT_ONCE = 20;
let unacknowledged = { count: 0, resolve: (): void => {} };

process.on('message', (order: ClientOrder) => void execute(order));

async function execute(order: ClientOrder): Promise<void> {
  switch (order.do) {
    case 'connect':
      relay = order.relay;
      await connect();
      return answer({ did: 'connected' });
    case 'listen':
      listening = fresh(order.sessions, order.wantsLatencies, listening.seqs);
      expected = order.deltas;
      return order.text === undefined ? undefined : promptAll(order.sessions, order.text);
    case 'pause':
      socket.pause();
      return answer({ did: 'paused' });
    case 'resume':
      socket.resume();
      return;
    case 'end':
      process.exit(0);
  }
}

function fresh(sessions: readonly string[], wantsLatencies: boolean, seqs = new Map<string, number>()): Listener {
  return { texts: new Map(sessions.map((session) => [session, new ReceivedText(wantsLatencies)])), seqs, seqGaps: 0, resubscribed: 0 };
}

async function connect(): Promise<void> {
  const headers = relay.kind === 'ours' ? { authorization: `Bearer ${relay.token}` } : {};
  socket = new WebSocket(relay.url, { headers, perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('close', () => process.exit(0));
  const receive = relay.kind === 'ours' ? receiveOurs : receiveFloor;
  socket.on('message', (bytes: Buffer) => {
    receive(JSON.parse(bytes.toString()));
    if (expected > 0 && [...listening.texts.values()].every((text) => text.deltas >= expected)) report();
  });
  if (relay.kind !== 'ours') return;
  const subscribed = new Promise<void>((resolve) => {
    let waiting = relay.sessions.length;
    const count = (bytes: Buffer): void => {
      if (!bytes.subarray(0, 30).includes('"snapshot"')) return;
      waiting -= 1;
      if (waiting > 0) return;
      socket.off('message', count);
      resolve();
    };
    socket.on('message', count);
  });
  socket.send(JSON.stringify({ type: 'hello', v: 1 }));
  for (const sessionId of relay.sessions) socket.send(JSON.stringify({ type: 'subscribe', sessionId }));
  if (relay.sessions.length > 0) await subscribed;
}

/** Sends a few at a time, as the server allows: the next ones when the previous ones are durable. */
async function promptAll(sessions: readonly string[], text: string): Promise<void> {
  for (let from = 0; from < sessions.length; from += AT_ONCE) {
    const some = sessions.slice(from, from + AT_ONCE);
    const acknowledged = new Promise<void>((resolve) => {
      unacknowledged = { count: some.length, resolve };
    });
    for (const session of some) sendPrompt(session, text);
    if (relay.kind === 'ours') await acknowledged;
  }
}

function sendPrompt(session: string, text: string): void {
  if (relay.kind === 'ours') return socket.send(JSON.stringify({ type: 'input', sessionId: session, text, commandId: crypto.randomUUID() }));
  const line = JSON.stringify({ type: 'user', message: { role: 'user', content: text }, uuid: crypto.randomUUID() });
  return socket.send(JSON.stringify({ session: Number(session), line }));
}

interface FloorFrame {
  readonly session: number;
  readonly line: { readonly type: string; readonly event?: { readonly type: string; readonly delta?: { readonly text?: string } } };
}

function receiveFloor({ session, line }: FloorFrame): void {
  const text = line.event?.delta?.text;
  if (text === undefined) return;
  const received = listening.texts.get(String(session));
  received?.add('all', received.deltas * text.length, text);
}

interface OurEvent {
  readonly seq: number;
  readonly type: string;
  readonly itemId?: string;
  readonly text?: string;
}

type OurFrame =
  | { readonly type: 'delta'; readonly sessionId: string; readonly itemId: string; readonly offset: number; readonly text: string }
  | { readonly type: 'event'; readonly sessionId: string; readonly event: OurEvent }
  | {
      readonly type: 'snapshot';
      readonly sessionId: string;
      readonly seq: number;
      readonly firstSeq: number;
      readonly events: readonly OurEvent[];
      readonly partial: readonly { readonly itemId: string; readonly text: string }[];
    }
  | { readonly type: 'resubscribe'; readonly sessionId: string }
  | { readonly type: 'ack' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'other' };

function receiveOurs(frame: OurFrame): void {
  switch (frame.type) {
    case 'delta':
      listening.texts.get(frame.sessionId)?.add(frame.itemId, frame.offset, frame.text);
      return;
    case 'event':
      return receiveEvent(frame.sessionId, frame.event);
    case 'snapshot':
      return receiveSnapshot(frame);
    case 'resubscribe':
      listening.resubscribed += 1;
      return socket.send(JSON.stringify({ type: 'subscribe', sessionId: frame.sessionId, after: listening.seqs.get(frame.sessionId) ?? 0 }));
    case 'ack':
      unacknowledged.count -= 1;
      if (unacknowledged.count === 0) unacknowledged.resolve();
      return;
    case 'refused':
      throw new Error(`refused: ${frame.message}`);
  }
}

function receiveEvent(sessionId: string, event: OurEvent): void {
  if (event.seq !== (listening.seqs.get(sessionId) ?? 0) + 1) listening.seqGaps += 1;
  listening.seqs.set(sessionId, event.seq);
  receiveText(sessionId, event);
}

/** When a snapshot starts after what we have, the events in between are fetched over HTTP, as a browser does. */
function receiveSnapshot(frame: Extract<OurFrame, { type: 'snapshot' }>): void {
  const had = listening.seqs.get(frame.sessionId) ?? 0;
  listening.seqs.set(frame.sessionId, frame.seq);
  const take = (events: readonly OurEvent[]): void => {
    for (const event of events) if (event.seq > had) receiveText(frame.sessionId, event);
    for (const partial of frame.partial) listening.texts.get(frame.sessionId)?.add(partial.itemId, 0, partial.text);
    if (expected > 0 && [...listening.texts.values()].every((text) => text.deltas >= expected)) report();
  };
  if (had === 0 || frame.firstSeq <= had + 1) return take(frame.events);
  void fetchEvents(frame.sessionId, had, frame.firstSeq).then((older) => take([...older, ...frame.events]));
}

async function fetchEvents(sessionId: string, after: number, before: number): Promise<readonly OurEvent[]> {
  const events: OurEvent[] = [];
  while (after + 1 < before) {
    const url = new URL(`/api/sessions/${sessionId}/events?after=${after}&limit=1000`, relay.url.replace(/^ws/, 'http'));
    const response = await fetch(url, { headers: { authorization: `Bearer ${relay.kind === 'ours' ? relay.token : ''}` } });
    const page = ((await response.json()) as { events: OurEvent[] }).events.filter((event) => event.seq < before);
    events.push(...page);
    after = page.at(-1)?.seq ?? before;
  }
  return events;
}

function receiveText(sessionId: string, event: OurEvent): void {
  if (event.type !== 'assistant.text' || event.itemId === undefined || event.text === undefined) return;
  const text = listening.texts.get(sessionId);
  text?.add(event.itemId, 0, event.text);
  text?.forget(event.itemId);
}

function report(): void {
  expected = 0;
  const texts = [...listening.texts.values()];
  answer({
    did: 'received',
    deltas: texts.reduce((sum, text) => sum + text.deltas, 0),
    gaps: texts.reduce((sum, text) => sum + text.gaps, 0),
    seqGaps: listening.seqGaps,
    resubscribed: listening.resubscribed,
    startUs: Math.min(...texts.map((text) => text.firstStampUs)),
    endUs: Math.max(...texts.map((text) => text.lastAtUs)),
    latenciesUs: texts.map((text) => text.latenciesUs),
  });
}

function answer(given: ClientReport): void {
  process.send?.(given);
}
