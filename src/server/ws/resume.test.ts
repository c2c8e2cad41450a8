import { expect, test } from 'vitest';
import { seeded } from '../../../test/support/server/seeded.ts';
import type { TestClient } from '../../../test/support/server/test-client.ts';
import { startTestServer } from '../../../test/support/server/test-server.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';

const SESSIONS = ['a', 'b'] as SessionId[];
const STEPS = 150;
const note = (text: string): EventBody => ({ type: 'notice.shown', level: 'info', text });

/** A page's state, built from frames alone. Each frame is checked against the rules of the wire. */
class Page {
  readonly seqs = new Map<string, number[]>();
  client: TestClient | undefined;
  private read = 0;

  /** Applies every frame received; throws at the first gap or repeat. */
  take(): void {
    for (const frame of this.client?.frames.slice(this.read) ?? []) {
      if (frame.type === 'snapshot')
        this.snapshot(
          frame.sessionId,
          frame.firstSeq,
          frame.events.map((event) => event.seq),
        );
      if (frame.type === 'event') this.append(frame.sessionId, frame.seq);
    }
    this.read = this.client?.frames.length ?? 0;
  }

  reset(client: TestClient): void {
    this.client = client;
    this.read = 0;
  }

  last = (id: string): number => this.seqs.get(id)?.at(-1) ?? 0;

  private snapshot(id: string, firstSeq: number, seqs: readonly number[]): void {
    if (firstSeq > this.last(id) + 1) throw new Error(`${id}: the snapshot starts at ${firstSeq}, but the page has only up to ${this.last(id)}`);
    // The snapshot answers the subscribe; events already in flight can be in it again.
    for (const seq of seqs.filter((each) => each > this.last(id))) this.append(id, seq);
  }

  private append(id: string, seq: number): void {
    if (seq !== this.last(id) + 1) throw new Error(`${id}: ${seq} came after ${this.last(id)}`);
    this.seqs.set(id, [...(this.seqs.get(id) ?? []), seq]);
  }
}

for (const seed of [1, 7, 42, 20_261]) {
  test(`[R104] a page that loses its socket, resubscribes and sends has every event once (seed ${seed})`, async () => {
    const server = await startTestServer();
    const random = seeded(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    for (const id of SESSIONS) await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id });
    const page = new Page();
    const subscribe = (id: string): void => page.client!.send({ type: 'subscribe', sessionId: id, after: page.last(id) });
    const reconnect = async (): Promise<void> => {
      page.take();
      page.client?.cut();
      page.reset(await server.connect());
      for (const id of SESSIONS) subscribe(id);
    };
    const actions: readonly (() => unknown)[] = [
      () => server.engine.observe(pick(SESSIONS), note('one')),
      () => server.engine.observe(pick(SESSIONS), note('two'), note('three')),
      () => server.engine.stream(pick(SESSIONS), { itemId: 'i', messageId: 'm', index: 0, kind: 'text', text: 'x', offset: 0 }),
      () => page.client!.send({ type: 'input', sessionId: pick(SESSIONS), commandId: `c${Math.floor(random() * 20)}`, text: 'same' }),
      () => new Promise(setImmediate),
      () => {
        page.take();
        const id = pick(SESSIONS);
        page.client!.send({ type: 'unsubscribe', sessionId: id });
        subscribe(id);
      },
      reconnect,
    ];
    await reconnect();
    for (let step = 0; step < STEPS; step += 1) await pick(actions)();
    const settled = page.client!.until((frame) => frame.type === 'pong');
    page.client!.send({ type: 'ping' });
    await settled;
    await reconnect();
    page.client!.send({ type: 'ping' });
    await page.client!.next('pong');
    page.take();
    for (const id of SESSIONS) {
      const all = server.engine.events(id, { after: 0, limit: 10_000 }).map((event) => event.seq);
      expect(page.seqs.get(id)).toEqual(all);
    }
    await server.close();
  });
}
