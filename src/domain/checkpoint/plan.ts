/** A file in a state; mode 160000 is a nested repository. */
export interface Entry {
  readonly mode: string;
  readonly oid: string;
}

/** A path that differs between the state to go back to (`old`) and the one on disk (`new`), or between two checkpoints. */
export interface Difference {
  readonly path: string;
  readonly old: Entry | undefined;
  readonly new: Entry | undefined;
}

export interface KnownStep {
  /** Undefined when it can't be read anymore. */
  readonly differences: readonly Difference[] | undefined;
  readonly shared: boolean;
  readonly only?: ReadonlySet<string>;
}

export interface PlanQuestion {
  readonly differences: readonly Difference[];
  /** What this session did since the state to go back to, in order. */
  readonly steps: readonly KnownStep[];
  /** Not held by the state to go back to, or by the one on disk. */
  readonly targetLeft: readonly { readonly path: string; readonly why: string }[];
  readonly nowLeft: readonly { readonly path: string; readonly why: string }[];
  readonly ignoredThen: ReadonlySet<string>;
  /** It may hold part of what a tool did, so nothing is chosen for the person. */
  readonly isLate: boolean;
  /** What the person chose; without it, what this session changed. */
  readonly paths?: readonly string[] | undefined;
  /** Restored even though somebody else changed it. */
  readonly force: readonly string[];
}

export interface PlannedFile {
  readonly path: string;
  readonly action: 'restore' | 'delete';
  readonly selected: boolean;
  /** Why it is left alone although it is selected. */
  readonly refused?: string;
  /** A person can have it restored anyway. */
  readonly canForce?: boolean;
  readonly difference: Difference;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  /** What also differs, but was not changed by this session. */
  readonly others: readonly PlannedFile[];
}

/** What a revert does to each file. Only what this session changed, and only if nobody changed it since. */
export function planRevert(question: PlanQuestion): Plan {
  const { differences, paths, force } = question;
  const owners = ownersOf(question.steps);
  const chosen = paths === undefined ? undefined : new Set([...paths, ...force]);
  const planned = differences.map((difference): PlannedFile & { readonly isOurs: boolean } => {
    const { path } = difference;
    const owner = owners.get(path);
    const isPreselected = owner !== undefined && !owner.shared && !question.isLate;
    const hard = cannot(question, difference);
    const soft = hard ?? shouldNot(question, difference, owner);
    const isForced = hard === undefined && force.includes(path);
    return {
      path,
      action: difference.old === undefined ? 'delete' : 'restore',
      selected: chosen?.has(path) ?? (isPreselected || force.includes(path)),
      ...(soft !== undefined && !isForced && { refused: soft }),
      ...(soft !== undefined && hard === undefined && { canForce: true }),
      difference,
      isOurs: owner !== undefined || (chosen?.has(path) ?? force.includes(path)),
    };
  });
  const without = ({ isOurs: _, ...file }: (typeof planned)[number]): PlannedFile => file;
  return { files: planned.filter(({ isOurs }) => isOurs).map(without), others: planned.filter(({ isOurs }) => !isOurs).map(without) };
}

interface Owner {
  /** What this session last left there. */
  readonly left: Entry | undefined;
  readonly shared: boolean;
}

function ownersOf(steps: readonly KnownStep[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const { differences, shared, only } of steps) {
    for (const { path, new: left } of differences ?? [])
      if (only?.has(path) ?? true) owners.set(path, { left, shared: shared || owners.get(path)?.shared === true });
  }
  return owners;
}

const GITLINK = '160000';

/** Reasons that no person can overrule: the content is not known. */
function cannot({ targetLeft, nowLeft }: PlanQuestion, { path, old, new: now }: Difference): string | undefined {
  if (old?.mode === GITLINK || now?.mode === GITLINK) return 'It is a submodule or nested repository, which checkpoints don’t cover.';
  const then = targetLeft.find((left) => covers(left.path, path));
  if (then !== undefined) return `The checkpoint doesn’t hold it: ${then.why}.`;
  const here = nowLeft.find((left) => covers(left.path, path));
  return here === undefined ? undefined : `What it is now could not be kept: ${here.why}.`;
}

const covers = (left: string, path: string): boolean => path === left || path.startsWith(`${left}/`);

function shouldNot({ ignoredThen }: PlanQuestion, { path, old, new: now }: Difference, owner: Owner | undefined): string | undefined {
  if (old === undefined && ignoredThen.has(path)) return 'It was ignored then, so it may be older than the turn.';
  if (owner === undefined) return 'This session didn’t change it.';
  return now?.mode === owner.left?.mode && now?.oid === owner.left?.oid ? undefined : 'Somebody edited it after the agent.';
}
