import { lastActiveAt } from '../../../../src/domain/panel/activity.ts';
import type { Track } from '../../../../src/protocol/api/panel.ts';
import type { PlanNews } from '../../../../src/protocol/api/plan.ts';
import { PlanId, planStream } from '../../../../src/protocol/plan.ts';
import type { Session } from '../../../../src/protocol/session.ts';
import { inLineOrder } from '../../../store/sessions/deck.ts';

/** What the panel draws: a session, or a plan as a route from which its steps branch off. */
export type Line = SessionLine | PlanLine;

interface Drawn {
  /** Of a session, or of a plan's stream. */
  readonly id: string;
  /** A new session may have none yet. */
  readonly track: Track | undefined;
  /** The line that it branches off from, when that is drawn too. */
  readonly parentAt?: number;
}

export interface SessionLine extends Drawn {
  readonly session: Session;
}

export interface PlanLine extends Drawn {
  readonly plan: PlanNews;
}

/** More lines can't be told apart. Active sessions always come first. */
const MAX_LINES = 50;
const MOVING: ReadonlySet<Session['status']> = new Set(['starting', 'busy', 'waiting']);

type Plans = ReadonlyMap<string, PlanNews>;

/** Which sessions are drawn, in an order that doesn't depend on their activity. Steps of a plan are below its route. */
export function linesOf(sessions: Iterable<Session>, tracks: ReadonlyMap<string, Track>, since: number, plans: Plans = new Map()): readonly Line[] {
  const shown = [...sessions]
    .filter((session) => session.archived !== true && isDrawn(session, tracks.get(session.id), since))
    .sort((a, b) => Number(isMoving(b)) - Number(isMoving(a)) || b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, MAX_LINES);
  const lines = byRoutes(inLineOrder(shown), plans).map((of): Line => ('openGates' in of ? planLine(of) : sessionLine(of, tracks)));
  const indexes = new Map(lines.map(({ id }, index) => [id, index]));
  return lines.map((line) => branched(line, indexes));
}

/** Each plan right before its first step, and all its steps after it. */
function byRoutes(sessions: readonly Session[], plans: Plans): readonly (Session | PlanNews)[] {
  const planOf = ({ plan }: Session): PlanNews | undefined => (plan === undefined ? undefined : plans.get(plan.planId));
  const seen = new Set<string>();
  return sessions.flatMap((session) => {
    const plan = planOf(session);
    if (plan === undefined) return [session];
    if (seen.has(plan.id)) return [];
    seen.add(plan.id);
    const steps = sessions.filter((one) => planOf(one) === plan).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
    return [plan, ...steps];
  });
}

const sessionLine = (session: Session, tracks: ReadonlyMap<string, Track>): SessionLine => ({ id: session.id, session, track: tracks.get(session.id) });

const planLine = (plan: PlanNews): PlanLine => ({ id: planStream(plan.id), plan, track: routeOf(plan) });

/** A plan's rail from its start to its end, with a signal at every open gate. */
function routeOf({ startedAt, createdAt, endedAt, status, openGates, openProposals }: PlanNews): Track {
  const ended =
    endedAt === undefined ? [] : [{ seq: 0, from: Date.parse(endedAt), how: status === 'failed' ? ('failed' as const) : ('ended' as const), why: '' }];
  const waits = openGates.map(({ at, gate, question }) => ({ seq: 0, from: Date.parse(at), id: `gate ${gate}`, what: question }));
  const proposed = openProposals.map(({ at, proposalId, why }) => ({ seq: 0, from: Date.parse(at), id: proposalId, what: why }));
  return { seq: 0, from: Date.parse(startedAt ?? createdAt), turns: [], calls: [], waits: [...waits, ...proposed], rests: ended, compactions: [] };
}

const isMoving = (session: Session): boolean => MOVING.has(session.status) || session.waiting > 0;

/** Active sessions, those with a process, and those with activity in this window. Sessions of other programs have no track. */
function isDrawn(session: Session, track: Track | undefined, since: number): boolean {
  if (isMoving(session)) return true;
  return track !== undefined && (session.control === 'here' || lastActiveAt(track, Number.POSITIVE_INFINITY) >= since);
}

function branched(line: Line, indexes: ReadonlyMap<string, number>): Line {
  if ('plan' in line) return line;
  const { plan, parent } = line.session;
  const planId = PlanId.safeParse(plan?.planId);
  const parentAt = (planId.success ? indexes.get(planStream(planId.data)) : undefined) ?? (parent === undefined ? undefined : indexes.get(parent.sessionId));
  return { ...line, ...(parentAt !== undefined && { parentAt }) };
}
