/** What was heard so far of keys that follow each other, and whether it is whole now. */
export interface Heard {
  readonly pending: string;
  readonly keys?: string;
}

/** One more key. `known` are the keys that mean something now; what leads nowhere is forgotten, and the key begins anew. */
export function stepKeys(pending: string, name: string, known: Iterable<string>): Heard {
  const all = [...known];
  const longer = pending === '' ? name : `${pending} ${name}`;
  if (all.includes(longer)) return { pending: '', keys: longer };
  if (all.some((keys) => keys.startsWith(`${longer} `))) return { pending: longer };
  return pending === '' ? { pending: '' } : stepKeys('', name, all);
}
