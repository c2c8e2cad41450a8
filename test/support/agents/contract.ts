import type { Adapter } from '../../../src/agents/port/adapter.ts';
import type { CommandId } from '../../../src/protocol/ids.ts';
import { boundsUnknownLines, neverMutatesState, repeats, staysSmall, survivesJunk, survivesMutation, survivesStorage } from './contract-fold.ts';
import {
  deltasAddUp,
  deltasAreGapless,
  deltasAreSettled,
  emitsValidObservations,
  inputsAreTakenOnce,
  itemsAreUnique,
  toolsAreOrdered,
  turnsAreOrdered,
} from './contract-order.ts';
import type { Recording } from './replay.ts';

/** A rule for every adapter. `violations` describes what in a recording breaks it; empty when it holds. */
interface Rule {
  readonly title: string;
  violations(adapter: Adapter, recording: Recording): readonly string[];
}

/** What the engine and the browser rely on, for every agent. */
export const CONTRACT: readonly Rule[] = [
  { title: '[R90] replaying a recording returns the same observations', violations: repeats },
  { title: '[R91] folding continues the same way from a state that was stored and read back', violations: survivesStorage },
  { title: 'a state is never changed in place', violations: neverMutatesState },
  { title: 'the state stays small', violations: staysSmall },
  { title: '[R92] half a line, or anything else that is not a message, is kept as unrecognized and never thrown', violations: survivesJunk },
  { title: 'an unknown line is kept up to a limit', violations: boundsUnknownLines },
  { title: 'a line with any field changed to something else never throws', violations: survivesMutation },
  { title: 'every observation is known and has a valid shape', violations: emitsValidObservations },
  { title: '[R93] a turn starts before it ends, and not twice', violations: turnsAreOrdered },
  { title: 'a tool that completes has started', violations: toolsAreOrdered },
  { title: '[R94] an item id is used only once', violations: itemsAreUnique },
  { title: '[R95] text in progress has no gaps', violations: deltasAreGapless },
  { title: '[R96] at the end of a turn all text in progress has become an item or was dropped', violations: deltasAreSettled },
  { title: 'a finished text is what was streamed', violations: deltasAddUp },
  { title: '[R97] an input is reported as taken once', violations: inputsAreTakenOnce },
];

/** Texts that a person can paste and that must reach the agent as one line each. */
export const ODD_TEXTS: readonly string[] = [
  'two\nlines\r\nand more',
  'line\u2028separator and paragraph\u2029separator',
  'half a pair \ud800 and the other half \udc00',
  'a whole pair \u{1f682}',
  'nul \u0000 and bell \u0007',
  '{"type":"user"}\n{"type":"user"}',
  '"quotes" and \\backslashes\\',
  'x'.repeat(1_000_000),
];

/** The lines that carry an odd text, as an input and as an answer. */
export function encodeOdd(adapter: Adapter, text: string): readonly string[] {
  const state = adapter.initial();
  const commandId = `odd ${text.slice(0, 20)}` as CommandId;
  return [
    ...adapter.encode({ kind: 'input', commandId, text, images: [], steer: false }, state),
    ...adapter.encode({ kind: 'answer', agentRequestId: 'r', input: { text }, verdict: { behavior: 'allow' } }, state),
    ...adapter.encode({ kind: 'answer', agentRequestId: 'r', input: {}, verdict: { behavior: 'deny', message: text, interrupt: false } }, state),
  ];
}
