import { expect, test } from 'vitest';
import type { BeatAnswer, Carrier, CarrierListener, Life } from '../../../src/cluster/carrier.ts';

const life = (node: string, epoch = 1, instance = `${node}-${epoch}`): Life => ({ node, epoch, instance });
const bytes = (text: string): Uint8Array => Buffer.from(text);

class Heard implements CarrierListener {
  readonly frames: string[] = [];
  readonly logged_: string[] = [];
  lost = 0;
  frame(got: Uint8Array): void {
    this.frames.push(Buffer.from(got).toString());
  }
  logged(got: Uint8Array): void {
    this.logged_.push(Buffer.from(got).toString());
  }
  logLost(): void {
    this.lost += 1;
  }
}

const membersOf = (answer: BeatAnswer) => (answer.outcome === 'ok' ? answer.members.map(({ node, epoch, hasLeft }) => [node, epoch, hasLeft]).sort() : answer);

/** What every carrier does, whatever is below it. `open` gives carriers that share one medium, which starts empty. */
export function describeCarrier(open: () => Promise<Carrier>, wipe: () => Promise<void>): void {
  test('the directory knows who beats, who left, and since when', async () => {
    const [a, b] = [await open(), await open()];
    expect(await a.epochOf('a')).toBe(0);
    expect(await a.beat(life('a'), bytes('facts of a'), 1)).toMatchObject({ outcome: 'ok', isNew: true });
    await b.beat(life('b'), bytes('facts of b'), 1);
    const answer = await a.beat(life('a'), bytes('facts of a'), 2);
    expect(answer).toMatchObject({ outcome: 'ok', isNew: false });
    expect(membersOf(answer)).toEqual([
      ['a', 1, false],
      ['b', 1, false],
    ]);
    expect(answer.outcome === 'ok' && answer.members.map(({ facts }) => Buffer.from(facts).toString()).sort()).toEqual(['facts of a', 'facts of b']);
    await b.leave(life('b'));
    expect(membersOf(await a.beat(life('a'), bytes(''), 3))).toEqual([
      ['a', 1, false],
      ['b', 1, true],
    ]);
    await a.forget('b');
    expect(membersOf(await a.beat(life('a'), bytes(''), 4))).toEqual([['a', 1, false]]);
    await Promise.all([a.close(), b.close()]);
  });

  test('[R694] of two lives of one machine exactly one stays: the later epoch, or the first of the same one', async () => {
    const [one, copy] = [await open(), await open()];
    await one.beat(life('a', 5, 'one'), bytes(''), 1);
    expect(await copy.beat(life('a', 5, 'copy'), bytes(''), 1)).toEqual({ outcome: 'superseded', epoch: 5 });
    expect(await copy.beat(life('a', 6, 'copy'), bytes(''), 1)).toMatchObject({ outcome: 'ok', isNew: true });
    expect(await one.beat(life('a', 5, 'one'), bytes(''), 2)).toEqual({ outcome: 'superseded', epoch: 6 });
    expect(await one.epochOf('a')).toBe(6);
    // An earlier life that leaves doesn't take the later one with it.
    await one.leave(life('a', 5, 'one'));
    expect(membersOf(await copy.beat(life('a', 6, 'copy'), bytes(''), 2))).toEqual([['a', 6, false]]);
    await Promise.all([one.close(), copy.close()]);
  });

  test('frames reach the life they are for, in order, and no other one', async () => {
    const [a, b] = [await open(), await open()];
    const heard = new Heard();
    await b.receive(life('b', 2, 'now'), heard);
    await a.send(life('b', 1, 'earlier'), bytes('for an earlier life'));
    for (let n = 0; n < 300; n++) await a.send(life('b', 2, 'now'), bytes(`frame ${n}`));
    await expect.poll(() => heard.frames.length).toBe(300);
    expect(heard.frames).toEqual(Array.from({ length: 300 }, (_, n) => `frame ${n}`));
    await Promise.all([a.close(), b.close()]);
  });

  test('summaries are stored, changed, taken back and replaced, and everyone hears of it', async () => {
    const [a, b] = [await open(), await open()];
    const heard = new Heard();
    await b.receive(life('b'), heard);
    const stored = async () => (await b.summaries('a')).map((each) => Buffer.from(each).toString()).sort();
    await a.publish(
      'a',
      [
        ['x', bytes('x1')],
        ['y', bytes('y1')],
      ],
      bytes('first'),
    );
    expect(await stored()).toEqual(['x1', 'y1']);
    await a.publish(
      'a',
      [
        ['x', bytes('x2')],
        ['y', null],
      ],
      bytes('second'),
    );
    expect(await stored()).toEqual(['x2']);
    await a.republish('a', [['z', bytes('z1')]], bytes('third'));
    expect(await stored()).toEqual(['z1']);
    await expect.poll(() => heard.logged_).toEqual(['first', 'second', 'third']);
    await Promise.all([a.close(), b.close()]);
  });

  test('[R696] after everything was wiped, a beat registers again and says so, and frames arrive again', async () => {
    const [a, b] = [await open(), await open()];
    const heard = new Heard();
    await b.receive(life('b'), heard);
    await b.beat(life('b'), bytes(''), 1);
    await a.beat(life('a'), bytes(''), 1);
    await a.send(life('b'), bytes('before'));
    await expect.poll(() => heard.frames).toEqual(['before']);
    await wipe();
    expect(await b.beat(life('b'), bytes(''), 2)).toMatchObject({ outcome: 'ok', isNew: true });
    await a.send(life('b'), bytes('after'));
    await expect.poll(() => heard.frames).toEqual(['before', 'after']);
    await Promise.all([a.close(), b.close()]);
  });
}
