import type { Adapter } from '../../../src/agents/adapter.ts';
import type { CommandId } from '../../../src/protocol/ids.ts';
import { leavesStatesAlone, repeats, staysSmall, survivesJunk, survivesMutation, survivesStorage } from './contract-fold.ts';
import {
  deltasAddUp,
  deltasAreGapless,
  deltasAreSettled,
  inputsAreTakenOnce,
  itemsAreUnique,
  tellsValidObservations,
  toolsAreOrdered,
  turnsAreOrdered,
} from './contract-order.ts';
import type { Recording } from './replay.ts';

/** One promise of every adapter. `violations` says in words what of a recording breaks it; nothing when it holds. */
interface Rule {
  readonly title: string;
  violations(adapter: Adapter, recording: Recording): readonly string[];
}

/** What the engine and the browser rely on, whatever the agent. */
export const CONTRACT: readonly Rule[] = [
  { title: '[R90] replaying a recording gives the same observations', violations: repeats },
  { title: '[R91] folding goes on the same from a state that was stored and read again', violations: survivesStorage },
  { title: 'a state is never changed in place', violations: leavesStatesAlone },
  { title: 'the state stays small', violations: staysSmall },
  { title: '[R92] half a line, or anything else that is no message, is kept as unrecognised and never thrown', violations: survivesJunk },
  { title: 'a line with any field changed to something else never throws', violations: survivesMutation },
  { title: 'everything told is a known observation of the right shape', violations: tellsValidObservations },
  { title: '[R93] a turn begins before it ends, and not twice', violations: turnsAreOrdered },
  { title: 'a tool that completes has started', violations: toolsAreOrdered },
  { title: '[R94] an item has its id for itself', violations: itemsAreUnique },
  { title: '[R95] text in progress has no gaps', violations: deltasAreGapless },
  { title: '[R96] at the end of a turn all text in progress has become an item or was dropped', violations: deltasAreSettled },
  { title: 'a finished text is what was streamed of it', violations: deltasAddUp },
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
