import type { WaitingPermission } from '../../../src/protocol/http.ts';
import type { Desk } from '../cockpit.ts';
import type { AppState, LeftRequest } from '../state/app-state.ts';

/** How long a request that was decided is still shown. */
const LINGER_MS = 5000;
/** Nothing is taken away while a hand was on the list so recently. */
const CALM_MS = 1500;
/** The end of a request comes soon after it in the journal, as a rule. */
const LOOK_AHEAD = 500;

/** A list that cannot be fetched now stays as it was: the next event or reconnection asks again. */
export async function fetchPermissions(desk: Desk): Promise<void> {
  const { store, options } = desk;
  const permissions = await options.api.permissions().catch(() => undefined);
  if (permissions === undefined) return;
  const before = store.getState();
  const gone = before.permissions.filter(({ requestId }) => !permissions.some((each) => each.requestId === requestId));
  store.setState((state) => withPermissions(state, permissions, gone, options.now()));
  await Promise.all(gone.map((permission) => learnOutcome(desk, permission)));
}

function withPermissions(state: AppState, permissions: readonly WaitingPermission[], gone: readonly WaitingPermission[], now: number): AppState {
  const left = [...state.left, ...gone.map((permission) => ({ permission, leftAt: now }))];
  return { ...state, permissionsKnown: true, permissions: sameList(state.permissions, permissions), left: gone.length === 0 ? state.left : left };
}

/** The same array when nothing changed: most news are of other things. */
function sameList(before: readonly WaitingPermission[], after: readonly WaitingPermission[]): readonly WaitingPermission[] {
  const known = new Map(before.map((each) => [each.requestId, each]));
  const next = after.map((each) => known.get(each.requestId) ?? each);
  return next.length === before.length && next.every((each, at) => each === before[at]) ? before : next;
}

/** Who decided, and when, is read from the journal: the answer may have come from anywhere. */
async function learnOutcome({ store, options }: Desk, { sessionId, seq, requestId }: WaitingPermission): Promise<void> {
  const events = await options.api.eventsAfter(sessionId, seq, LOOK_AHEAD).catch(() => []);
  const resolved = events.find((event) => event.type === 'permission.resolved' && event.requestId === requestId);
  if (resolved?.type !== 'permission.resolved') return;
  const told = (left: LeftRequest): LeftRequest => (left.permission.requestId === requestId ? { ...left, resolved } : left);
  store.setState((state) => ({ left: state.left.map(told) }));
}

/** Takes away what was decided a while ago, unless a hand is on the list: nothing may move under it. */
export function tidied(state: AppState): AppState {
  if (state.left.length === 0 || state.now - state.handAt < CALM_MS) return state;
  const left = state.left.filter(({ leftAt }) => state.now - leftAt < LINGER_MS);
  if (left.length === state.left.length) return state;
  const shown: ReadonlySet<string> = new Set([...state.permissions, ...left.map(({ permission }) => permission)].map(({ requestId }) => requestId));
  const onlyShown = <T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> => new Map([...map].filter(([requestId]) => shown.has(requestId)));
  return { ...state, left, answers: onlyShown(state.answers), proposals: onlyShown(state.proposals), plans: onlyShown(state.plans) };
}
