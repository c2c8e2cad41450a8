import { createStore, type StoreApi } from 'zustand/vanilla';
import { ACTION_IDS, type ActionFacts, type ActionId, factsOf, SCOPES, type Scope } from './catalogue.ts';

/** One of several answers to an action that asks. */
export interface ActionChoice {
  readonly title: string;
  readonly hint?: string;
  readonly isNow?: boolean;
  readonly run: () => void;
}

export interface Binding {
  readonly run: (event?: KeyboardEvent) => void;
  /** When it is called otherwise just now, such as to undo it. */
  readonly title?: string;
  /** What it will do, in a few words. */
  readonly hint?: string;
  /** In place of doing it, the palette asks which of these. */
  readonly choices?: readonly ActionChoice[];
}

/** What can be done now; what cannot is left out or undefined. */
export type Bindings = { readonly [id in ActionId]?: Binding | Binding['run'] | undefined };

export interface BoundAction {
  readonly id: ActionId;
  readonly facts: ActionFacts;
  readonly binding: Binding;
}

/** The one registry: surfaces bind actions while they are shown; keys, palette and the list of keys read them here. */
export interface Actions {
  /** What is read anew whenever it matters. Returns how to end it. */
  bind(read: () => Bindings): () => void;
  /** What can be done now, the more specific first; of an action that is bound twice the last one is meant. */
  bound(): readonly BoundAction[];
  /** How often something was bound or let go: what is shown of it is then read anew. */
  readonly changes: StoreApi<number>;
  /** Keys that were heard and lead further. */
  readonly pending: StoreApi<{ readonly keys: string }>;
}

export function openActions(): Actions {
  const readers = new Set<() => Bindings>();
  const changes = createStore(() => 0);
  const tell = () => changes.setState((count) => count + 1, true);
  return {
    bind: (read) => {
      readers.add(read);
      tell();
      return () => {
        readers.delete(read);
        tell();
      };
    },
    changes,
    bound: () => boundIn([...readers]),
    pending: createStore(() => ({ keys: '' })),
  };
}

function boundIn(readers: readonly (() => Bindings)[]): readonly BoundAction[] {
  const latest = new Map<ActionId, Binding>();
  for (const read of readers) for (const [id, binding] of entriesOf(read())) latest.set(id, binding);
  const all = [...latest].map(([id, binding]) => ({ id, facts: factsOf(id), binding }));
  return all.sort((a, b) => RANK[b.facts.scope] - RANK[a.facts.scope] || ACTION_IDS.indexOf(a.id) - ACTION_IDS.indexOf(b.id));
}

function entriesOf(bindings: Bindings): readonly (readonly [ActionId, Binding])[] {
  // Object.entries forgets what the keys of a record are.
  const entries = Object.entries(bindings) as [ActionId, Bindings[ActionId]][];
  return entries.flatMap(([id, bound]) => (bound === undefined ? [] : [[id, typeof bound === 'function' ? { run: bound } : bound] as const]));
}

const RANK = Object.fromEntries(Object.keys(SCOPES).map((scope, at) => [scope, at])) as Readonly<Record<Scope, number>>;
