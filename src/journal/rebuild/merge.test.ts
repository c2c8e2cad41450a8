import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accepted, runOf, spoken } from '../../../test/support/journal/samples.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { type Event, HUMAN_EVENTS } from '../../protocol/event.ts';
import { RequestId } from '../../protocol/ids.ts';
import { numbered, type Unnumbered } from '../number-events.ts';
import { merge } from './merge.ts';
import type { MirroredEvent } from './mirror-file.ts';

const at = '2026-01-01T00:00:00.000Z';
const place = (bodies: readonly Unnumbered[]): Event[] => bodies.map((body, index) => numbered(body, index + 1, at));
const mirrored = (events: readonly Event[]): MirroredEvent[] => events.filter((event) => HUMAN_EVENTS.has(event.type)).map((event) => ({ event }));

test("without anchors, as many agent events come before a person's event as before", () => {
  const agent = ['1', '2', '3'].map(spoken);
  const all = place([{ type: 'run.opened', run: runOf('r'), mode: 'new', reason: 'x' }, agent[0]!, agent[1]!, accepted('c'), agent[2]!]);
  const merged = merge(mirrored(all), [{ run: runOf('r'), events: agent }]);
  expect(merged.map(({ body }) => ('text' in body ? body.text : body.type))).toEqual(['run.opened', '1', '2', 'text of c', '3']);
});

test('without anchors, a request still comes before its answer', () => {
  const requestId = RequestId.parse('r:1');
  const requested: Unnumbered = { type: 'permission.requested', requestId, agentRequestId: '1', tool: 'Bash', input: {}, kind: 'tool' };
  const people = place([
    { type: 'run.opened', run: runOf('r'), mode: 'new', reason: 'x' },
    { type: 'permission.resolved', requestId, outcome: 'allowed' },
  ]);
  const merged = merge(mirrored(people), [{ run: runOf('r'), events: [spoken('1'), requested, spoken('2')] }]);
  expect(merged.map(({ body }) => body.type)).toEqual(['run.opened', 'assistant.text', 'permission.requested', 'permission.resolved', 'assistant.text']);
});

test('without anchors, a run ends before the next one opens, whatever the numbers say', () => {
  const people = place(['r1', 'r2'].map((id): Unnumbered => ({ type: 'run.opened', run: runOf(id), mode: 'new', reason: 'x' })));
  const runs = ['r1', 'r2'].map((id) => ({ run: runOf(id), events: [spoken(`${id}.1`), spoken(`${id}.2`)] }));
  const merged = merge(mirrored(people), runs);
  expect(merged.map(({ body }) => ('text' in body ? body.text : body.type))).toEqual(['run.opened', 'r1.1', 'r1.2', 'run.opened', 'r2.1', 'r2.2']);
});

test("an event anchored at the start of a run that wasn't open yet comes before that run and after all of the previous one", () => {
  const [first, second] = [runOf('r1'), runOf('r2')];
  const [open1, input, open2] = place([
    { type: 'run.opened', run: first, mode: 'new', reason: 'x' },
    accepted('c'),
    { type: 'run.opened', run: second, mode: 'resume', reason: 'x' },
  ]);
  const people = [{ event: open1! }, { event: input!, anchor: { run: second, byte: 0 } }, { event: open2! }];
  const merged = merge(people, [
    { run: first, events: [spoken('1')] },
    { run: second, events: [spoken('2')] },
  ]);
  expect(merged.map(({ body }) => ('text' in body ? body.text : body.type))).toEqual(['run.opened', '1', 'text of c', 'run.opened', '2']);
});

const run = fc.constantFrom('r1', 'r2', 'r3');
const person = fc.record({
  opens: fc.option(run, { nil: undefined }),
  seq: fc.nat(60),
  anchor: fc.option(fc.record({ run, byte: fc.nat(30) }), { nil: undefined }),
});

test('whatever numbers and anchors say, every event appears once and both sides keep their order', () => {
  const property = fc.property(fc.array(person, { maxLength: 12 }), fc.array(fc.nat(8), { minLength: 3, maxLength: 3 }), (persons, lengths) => {
    const people = persons.map((one, index): MirroredEvent => {
      const body: Unnumbered = one.opens ? { type: 'run.opened', run: runOf(one.opens), mode: 'new', reason: `${index}` } : accepted(`c${index}`);
      return { event: numbered(body, one.seq + 1, at), anchor: one.anchor && { run: runOf(one.anchor.run), byte: one.anchor.byte } };
    });
    const runs = lengths.map((length, number) => {
      const id = runOf(`r${number + 1}`);
      return { run: id, events: Array.from({ length }, (_, index) => ({ ...spoken(`${id}.${index}`), src: { run: id, byte: index * 4 } })) };
    });
    const merged = merge(people, runs);
    expect(merged.filter((one) => one.wasSeq !== undefined).map((one) => one.body)).toEqual(people.map(({ event: { seq: _, ...body } }) => body));
    const bodies = merged.map((one) => one.body);
    for (const { run: id } of runs) {
      const opens = bodies.findIndex((body) => body.type === 'run.opened' && body.run === id);
      expect(opens < 0 || bodies.slice(0, opens).every((body) => body.src?.run !== id)).toBe(true);
    }
    for (const { run: id, events } of runs) expect(merged.map((one) => one.body).filter((body) => body.src?.run === id)).toEqual(events);
  });
  fc.assert(property, { seed: 4750, numRuns: proofCount(300) });
});
