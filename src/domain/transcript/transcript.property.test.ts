import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Event } from '../../protocol/event.ts';
import { append, openTranscript, prepend } from './transcript.ts';

const id = fc.constantFrom('a', 'b', 'c');
const parent = fc.option(fc.constantFrom('p', 'a'), { nil: undefined });
const turnId = fc.constantFrom('t1', 't2');

/** Any event in any order, well-behaved or not: the window can start anywhere. */
const body = fc.oneof(
  fc.record({ type: fc.constant('input.accepted'), commandId: id, text: fc.string(), mode: fc.constant('queue') }),
  fc.record({ type: fc.constant('input.delivered'), commandId: id, run: fc.constant('r1') }),
  fc.record({ type: fc.constant('input.returned'), commandId: id, reason: fc.constant('x') }),
  fc.record({ type: fc.constant('input.consumed'), commandId: id }),
  fc.record({ type: fc.constant('input.moved'), commandId: id, before: id }),
  fc.record({ type: fc.constant('user.message'), commandId: fc.option(id, { nil: undefined }), text: fc.string(), origin: fc.constant('person') }),
  fc.record({ type: fc.constant('context.forgotten'), commandId: id, reason: fc.constant('x') }),
  fc.record({ type: fc.constant('assistant.text'), itemId: id, messageId: id, index: fc.constant(0), text: fc.string(), parentToolUseId: parent }),
  fc.record({ type: fc.constant('assistant.thinking'), messageId: id, index: fc.constant(1), text: fc.string(), turnId }),
  fc.record({ type: fc.constant('tool.started'), toolUseId: id, name: fc.constant('Bash'), input: fc.constant({}), turnId }),
  fc.record({ type: fc.constant('tool.completed'), toolUseId: id, output: fc.string(), isError: fc.boolean() }),
  fc.record({ type: fc.constant('task.updated'), taskId: id, toolUseId: fc.option(id, { nil: undefined }), kind: fc.constant('k'), status: fc.constant('s') }),
  fc.record({
    type: fc.constant('permission.requested'),
    requestId: id,
    agentRequestId: id,
    toolUseId: id,
    tool: fc.constant('x'),
    input: fc.constant({}),
    kind: fc.constant('tool'),
  }),
  fc.record({ type: fc.constant('permission.resolved'), requestId: id, outcome: fc.constant('allowed') }),
  fc.record({
    type: fc.constant('turn.completed'),
    turnId,
    stopReason: fc.constant('end_turn'),
    isError: fc.boolean(),
    interrupted: fc.boolean(),
    denials: fc.constant(0),
  }),
  fc.record({ type: fc.constant('retry.reported'), attempt: fc.nat(9), error: fc.constant('x'), turnId }),
  fc.record({ type: fc.constant('suggestion.offered'), text: fc.string() }),
  fc.record({ type: fc.constant('unrecognised'), raw: fc.string() }),
);

const journal = fc.array(body, { maxLength: 40 }).map((bodies) =>
  bodies.map((fields, at) => {
    const defined = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    return Event.parse({ ...defined, seq: at + 1, at: new Date(at * 1000).toISOString() });
  }),
);

test('[R123] a window with older events prepended is the same as all events folded at once', () => {
  fc.assert(
    fc.property(journal, fc.nat(40), fc.nat(40), (events, first, second) => {
      const [from, to] = [Math.min(first, second), Math.max(first, second)];
      const window = openTranscript(events.slice(to));
      const grown = prepend(prepend(window, events.slice(from, to)), events.slice(0, from));
      expect(grown).toEqual(openTranscript(events));
    }),
  );
});

test('events one by one, in batches or repeated give the same transcript', () => {
  fc.assert(
    fc.property(journal, fc.nat(40), (events, cut) => {
      const whole = openTranscript(events);
      const single = events.reduce((state, event) => append(state, [event]), openTranscript([]));
      const repeated = append(openTranscript(events.slice(0, cut)), events);
      expect(single).toEqual(whole);
      expect(repeated).toEqual(whole);
    }),
  );
});

test('every row and every child has an item and appears once', () => {
  fc.assert(
    fc.property(journal, (events) => {
      const { rows, children, items } = openTranscript(events);
      const shown = [...rows, ...[...children.values()].flat()];
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown.every((key) => items.has(key))).toBe(true);
    }),
  );
});
