import { createStore, type StoreApi } from 'zustand/vanilla';
import { ACTION_IDS, type ActionFacts, type ActionId, factsOf, SCOPES, type Scope } from './action-list.ts';

/** One option of an action with a choice. */
export interface ActionChoice {
  readonly title: string;
  readonly hint?: string;
  readonly isNow?: boolean;
  readonly run: () => void;
}

export interface Binding {
  readonly run: (event?: KeyboardEvent) => void;
  /** Replaces the usual title, for example "Unstar". */
  readonly title?: string;
  /** A short description. */
  readonly hint?: string;
  /** The palette lists these instead of running the action. */
  readonly choices?: readonly ActionChoice[];
}

/** The available actions; others are missing or undefined. */
export type Bindings = { readonly [id in ActionId]?: Binding | Binding['run'] | undefined };

export interface BoundAction {
  readonly id: ActionId;
  readonly facts: ActionFacts;
  readonly binding: Binding;
}

/** The registry: components bind actions while mounted; keys, palette and the list of shortcuts read them. */
export interface Actions {
  /** `read` is called whenever the bindings are needed. Returns the unbind function. */
  bind(read: () => Bindings): () => void;
  /** Available actions, most specific first; if bound twice, the last binding wins. */
  bound(): readonly BoundAction[];
  /** Counts changes, so that views know when to read again. */
  readonly changes: StoreApi<number>;
  /** Keys pressed so far of a longer shortcut. */
  readonly pending: StoreApi<{ readonly keys: string }>;
}

export function openActions(): Actions {
  const readers = new Set<() => Bindings>();
  const changes = createStore(() => 0);
  const notify = () => changes.setState((count) => count + 1, true);
  return {
    bind: (read) => {
      readers.add(read);
      notify();
      return () => {
        readers.delete(read);
        notify();
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
  // Object.entries loses the type of the keys.
  const entries = Object.entries(bindings) as [ActionId, Bindings[ActionId]][];
  return entries.flatMap(([id, bound]) => (bound === undefined ? [] : [[id, typeof bound === 'function' ? { run: bound } : bound] as const]));
}

const RANK = Object.fromEntries(Object.keys(SCOPES).map((scope, at) => [scope, at])) as Readonly<Record<Scope, number>>;
