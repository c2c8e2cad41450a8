import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { Problems } from '../problems/problems.ts';
import type { Carrier, Life } from './carrier.ts';
import type { Channel, ChannelListener } from './channels.ts';
import { openFrame, sealFrame, type Vouched } from './frames.ts';
import { LocalExchange, openLocalCarrier } from './local-carrier.ts';
import { Peers } from './peers.ts';
import type { RemoteRequest } from './requests-out.ts';
import { createSeal } from './seal.ts';

const KEY = Buffer.alloc(32, 7);
const seal = createSeal(KEY, 'test');
const problems = new Problems({ info: () => undefined, error: () => undefined });
const life = (node: string, epoch = 1): Life => ({ node, epoch, instance: `${node}-${epoch}` });
const anna: Vouched = { id: 'anna', name: 'anna', role: 'driver', from: 'page' };
const request = (body: string): RemoteRequest => ({ method: 'POST', url: '/api/x', body: Buffer.from(body), who: anna });

/** What a carrier may do to a frame on its way. */
type Fate = 'arrives' | 'lost' | 'twice';

interface Side {
  readonly peers: Peers;
  readonly carrier: Carrier;
  readonly handled: string[];
  readonly raw: Uint8Array[];
}

const open: Peers[] = [];
afterEach(() => {
  for (const peers of open.splice(0)) peers.close();
});

async function side(exchange: LocalExchange, self: Life, fate: () => Fate = () => 'arrives', accept?: (channel: Channel) => ChannelListener): Promise<Side> {
  const local = openLocalCarrier(exchange);
  const carrier: Carrier = {
    ...local,
    send: async (to, frame) => {
      const what = fate();
      if (what !== 'lost') await local.send(to, frame);
      if (what === 'twice') await local.send(to, frame);
    },
  };
  const handled: string[] = [];
  const raw: Uint8Array[] = [];
  const peers = new Peers({
    carrier,
    seal,
    self,
    problems,
    times: { askMs: 20, silentMs: 5000 },
    signMs: 250,
    answer: async (_from, { body }) => {
      handled.push(Buffer.from(body).toString());
      return { status: 200, headers: {}, body: Buffer.from(`answer to ${body}`) };
    },
    accept: (_from, _who, channel) => accept?.(channel) ?? { message: () => undefined, drained: () => undefined, closed: () => undefined },
  });
  open.push(peers);
  await local.receive(self, {
    frame: (bytes) => {
      raw.push(bytes);
      peers.receive(bytes);
    },
    logged: () => undefined,
    logLost: () => undefined,
  });
  return { peers, carrier, handled, raw };
}

test('[R697] a request is acted on once and answered, whichever frames are lost or arrive twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom<Fate>('arrives', 'lost', 'twice'), { maxLength: 12 }), async (fates) => {
      const exchange = new LocalExchange();
      const left = [...fates];
      const fate = () => left.shift() ?? 'arrives';
      const [a, b] = [await side(exchange, life('a'), fate), await side(exchange, life('b'), fate)];
      const { body } = await a.peers.fetch(life('b'), request('do it'));
      expect([body.toString(), b.handled]).toEqual(['answer to do it', ['do it']]);
      for (const peers of open.splice(0)) peers.close();
    }),
    { numRuns: 25 },
  );
});

test('a request larger than a frame arrives whole, and so does its answer', async () => {
  const exchange = new LocalExchange();
  const [a, b] = [await side(exchange, life('a')), await side(exchange, life('b'))];
  const large = 'x'.repeat(3_000_000);
  const { body } = await a.peers.fetch(life('b'), request(large));
  expect([body.length, b.handled[0]?.length]).toEqual([large.length + 10, large.length]);
});

test('a request to a life that is over fails, and says whether it can have had an effect', async () => {
  const exchange = new LocalExchange();
  const a = await side(exchange, life('a'));
  const waiting = a.peers.fetch(life('b'), request('into nothing'));
  waiting.catch(() => undefined);
  await Promise.resolve();
  a.peers.lifeEnded(life('b').instance);
  await expect(waiting).rejects.toMatchObject({ outcome: 'unknown' });
});

test('[R692] frames that were changed, cut, sealed with another key, meant for another life, or seen before are ignored and counted', async () => {
  const exchange = new LocalExchange();
  const [a, b] = [await side(exchange, life('a')), await side(exchange, life('b', 2))];
  await a.peers.fetch(life('b', 2), request('first'));
  await a.peers.fetch(life('b', 2), request('second'));
  const good = b.raw[0] ?? expect.fail('nothing arrived');
  b.raw.length = 0;
  const counted = () => ({ ...b.peers.counts });
  expect(counted()).toEqual({ ignored: 0, repeated: 0 });
  b.peers.receive(good);
  expect(counted()).toEqual({ ignored: 0, repeated: 1 });
  fc.assert(
    fc.property(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, by, isCut) => {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ by;
      const before = b.peers.counts.ignored;
      b.peers.receive(isCut ? good.subarray(0, at) : bad);
      expect(b.peers.counts.ignored).toBe(before + 1);
    }),
  );
  const meta = { t: 'req', id: 'forged', method: 'POST', url: '/api/x', who: anna, last: true } as const;
  const ignored = b.peers.counts.ignored;
  b.peers.receive(sealFrame(createSeal(Buffer.alloc(32, 8), 'test'), life('a'), life('b', 2), 99, meta, Buffer.from('other key')));
  b.peers.receive(sealFrame(createSeal(KEY, 'another cluster'), life('a'), life('b', 2), 99, meta, Buffer.from('other cluster')));
  b.peers.receive(sealFrame(seal, life('a'), life('b', 1), 99, meta, Buffer.from('an earlier life')));
  expect(b.peers.counts.ignored).toBe(ignored + 3);
  b.peers.receive(sealFrame(seal, life('a', 0), life('b', 2), 99, meta, Buffer.from('from an earlier life')));
  expect(b.peers.counts.repeated).toBe(2);
  expect(b.handled).toEqual(['first', 'second']);
  expect(openFrame(seal, life('b', 2), Buffer.from('nonsense'))).toBe(undefined);
});

test('[R701] what a channel delivers is a prefix of what was sent, and a lost frame closes it on both sides', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom<Fate>('arrives', 'arrives', 'arrives', 'twice', 'lost'), { maxLength: 20 }), async (fates) => {
      const exchange = new LocalExchange();
      const left = ['arrives', 'arrives', ...fates] as Fate[];
      const fate = () => left.shift() ?? 'arrives';
      let far: Channel | undefined;
      const b = await side(exchange, life('b'), fate, (channel) => {
        far = channel;
        return { message: () => undefined, drained: () => undefined, closed: () => undefined };
      });
      const a = await side(exchange, life('a'));
      const got: string[] = [];
      let isClosed = false;
      const near = a.peers.open(life('b'), anna, {
        message: (bytes) => {
          got.push(bytes.toString());
          near.consumed(bytes.length);
        },
        drained: () => undefined,
        closed: () => {
          isClosed = true;
        },
      });
      await expect.poll(() => far !== undefined).toBe(true);
      const sent = Array.from({ length: 30 }, (_, n) => `message ${n}`);
      for (const text of sent) {
        far?.send(Buffer.from(text));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await expect.poll(() => isClosed || got.length === sent.length).toBe(true);
      expect(got).toEqual(sent.slice(0, got.length));
      if (isClosed) await expect.poll(() => [a.peers.channels, b.peers.channels]).toEqual([0, 0]);
      for (const peers of open.splice(0)) peers.close();
    }),
    { numRuns: 20 },
  );
});

test('a receiver that deals with nothing gets a megabyte, and the rest once it does', async () => {
  const exchange = new LocalExchange();
  let far: Channel | undefined;
  await side(exchange, life('b'), undefined, (channel) => {
    far = channel;
    return { message: () => undefined, drained: () => undefined, closed: () => undefined };
  });
  const a = await side(exchange, life('a'));
  let bytes = 0;
  const near = a.peers.open(life('b'), anna, {
    message: (got) => {
      bytes += got.length;
    },
    drained: () => undefined,
    closed: () => undefined,
  });
  await expect.poll(() => far !== undefined).toBe(true);
  for (let n = 0; n < 300; n++) far?.send(Buffer.alloc(10_000));
  await expect.poll(() => bytes).toBeGreaterThanOrEqual(1024 * 1024);
  expect(bytes).toBeLessThan(1024 * 1024 + 70_000);
  expect(far?.queuedBytes()).toBe(3_000_000 - bytes);
  near.consumed(bytes);
  await expect.poll(() => bytes).toBeGreaterThan(2 * 1024 * 1024 - 1);
});
