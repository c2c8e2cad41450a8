import type { Event } from '../../protocol/event.ts';
import type { QueuedInput } from '../../protocol/session.ts';
import { type Draft, draftOf, emptyDraft, finished } from './draft.ts';
import { foldNext } from './fold-inherited.ts';
import type { Commands, InputRecord, Item, Models, RequestedSettings } from './item.ts';

/** What a person reads of one session: a window of its events, folded, and the text in progress. Never changed in place. */
export interface Transcript {
  /** First and last event of the window; 0 when it is empty. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The events of the window, kept so that older ones can be prepended. */
  readonly events: readonly Event[];
  /** Messages that were queued when the window was opened: their events can be before it. */
  readonly seeds: readonly QueuedInput[];
  /** Keys of the items at the top level, in the order of display, text in progress last. */
  readonly rows: readonly string[];
  readonly order: readonly string[];
  /** Messages sent into the running turn that the agent has not read yet: they come after everything it is still writing. */
  readonly joining: readonly string[];
  readonly items: ReadonlyMap<string, Item>;
  /** Keys of the items inside a tool call. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly inputs: ReadonlyMap<string, InputRecord>;
  /** Items still being written. */
  readonly live: ReadonlyMap<string, Item>;
  /** Ids of streamed items that are complete now: a late repeat of their text is ignored. */
  readonly finals: ReadonlySet<string>;
  /** Settings that were requested and are not confirmed. */
  readonly wishes: RequestedSettings;
  /** The models that the agent reported last; empty if it never did, or only before the window. */
  readonly models: Models;
  /** The commands that the agent reported last; empty if it never did, or only before the window. */
  readonly commands: Commands;
  /** What the agent suggests to send next, the latest last. */
  readonly suggestions: readonly string[];
  /** The last message or start of a turn: what ended before it is over, and nobody has to deal with it. */
  readonly movedOnAt: number;
}

export const openTranscript = (events: readonly Event[], seeds: readonly QueuedInput[] = []): Transcript => {
  const draft = emptyDraft(seeds);
  seedInputs(draft, seeds);
  return foldAll(draft, events);
};

/** Adds events that follow the window. Those it already has change nothing; a gap must be closed by the caller first. */
export function append(transcript: Transcript, events: readonly Event[]): Transcript {
  const fresh = events.filter((event) => event.seq > transcript.lastSeq);
  return fresh.length === 0 ? transcript : foldAll(draftOf(transcript), fresh);
}

/** Prepends older events to the window. The result is the same as if the window had started there; items that did not change keep their identity. */
export function prepend(transcript: Transcript, older: readonly Event[]): Transcript {
  const fresh = older.filter((event) => transcript.firstSeq === 0 || event.seq < transcript.firstSeq);
  return fresh.length === 0 ? transcript : windowOver(transcript, [...fresh, ...transcript.events]);
}

/** The window moved over other events of the same session; items that did not change keep their identity. */
export function windowOver(transcript: Transcript, events: readonly Event[]): Transcript {
  const whole = openTranscript(events, transcript.seeds);
  return finished({ ...draftOf(whole), items: shareItems(transcript.items, whole.items), live: new Map(transcript.live) });
}

export const itemOf = (transcript: Transcript, key: string): Item | undefined => transcript.live.get(key) ?? transcript.items.get(key);

/** Keys of what happened inside a tool call, text in progress last. */
export function childrenOf(transcript: Transcript, toolUseId: string): readonly string[] {
  const settled = transcript.children.get(toolUseId) ?? NONE;
  const live = [...transcript.live.values()].filter((item) => item.parentToolUseId === toolUseId).map((item) => item.key);
  return live.length === 0 ? settled : [...settled, ...live];
}

/** Queued messages, in order. */
export const queueOf = ({ inputs }: Pick<Transcript, 'inputs'>): readonly InputRecord[] => [...inputs.values()].filter((input) => input.state === 'queued');

const NONE: readonly string[] = [];

function foldAll(draft: Draft, events: readonly Event[]): Transcript {
  for (const event of events) {
    foldNext(draft, event);
    draft.events.push(event);
  }
  return finished(draft);
}

const STATES = { accepted: 'queued', delivered: 'delivered', consumed: 'taken' } as const satisfies Record<QueuedInput['state'], InputRecord['state']>;

/** Adds the messages that were queued before the window; events of the window then update them. */
function seedInputs(draft: Draft, seeds: readonly QueuedInput[]): void {
  for (const seed of seeds) {
    const { commandId, text, mode } = seed;
    draft.inputs.set(commandId, { commandId, text, mode, images: [], context: [], imageCount: seed.images, state: STATES[seed.state] });
  }
}

/** The new items, with the old object for each one that is equal, so that nothing is redrawn needlessly. */
function shareItems(before: ReadonlyMap<string, Item>, after: ReadonlyMap<string, Item>): Map<string, Item> {
  const shared = new Map<string, Item>();
  for (const [key, item] of after) {
    const old = before.get(key);
    shared.set(key, old !== undefined && sameFields(old, item) ? old : item);
  }
  return shared;
}

function sameFields(a: Item, b: Item): boolean {
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return left.length === right.size && left.every(([name, value]) => sameValue(value, right.get(name)));
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, at) => value === b[at]);
  return a === b;
}
