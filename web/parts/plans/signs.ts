import type { NodeStatus, PlanStatus } from '../../../src/protocol/plan.ts';
import type { LampSign } from '../../base/ui/lamp.ts';

const STEP_SIGNS: Readonly<Record<NodeStatus, LampSign>> = {
  pending: { shape: 'dotted', word: 'pending' },
  ready: { shape: 'ring', word: 'ready' },
  running: { shape: 'disc', word: 'running' },
  waiting: { shape: 'diamond', word: 'needs you' },
  done: { shape: 'check', word: 'done' },
  failed: { shape: 'square', word: 'failed' },
  skipped: { shape: 'skip', word: 'skipped' },
  blocked: { shape: 'barred', word: 'blocked' },
};

/** What the session of a running step says about it. */
interface StepSession {
  readonly waiting: number;
  readonly placeInLine?: number | undefined;
}

/** A step's state as shape and word. A running step whose agent waits for a person needs that person. */
export function stepSign(status: NodeStatus, session?: StepSession): LampSign {
  if (status !== 'running' || session === undefined) return STEP_SIGNS[status];
  if (session.waiting > 0) return STEP_SIGNS.waiting;
  return session.placeInLine === undefined ? STEP_SIGNS.running : { shape: 'ring', word: 'in line' };
}

const PLAN_SIGNS: Readonly<Record<PlanStatus, LampSign>> = {
  draft: { shape: 'dotted', word: 'draft' },
  running: { shape: 'disc', word: 'running' },
  paused: { shape: 'ring', word: 'paused' },
  done: { shape: 'check', word: 'done' },
  failed: { shape: 'square', word: 'failed' },
  cancelled: { shape: 'skip', word: 'cancelled' },
};

const NEEDS_YOU: LampSign = { shape: 'diamond', word: 'needs you' };

interface PlanFacts {
  readonly status: PlanStatus;
  /** How many gates and proposals wait for a person. */
  readonly waiting: number;
  readonly isOutOfBudget: boolean;
}

/** A plan's state as shape and word. */
export function planSign({ status, waiting, isOutOfBudget }: PlanFacts): LampSign {
  if (status === 'paused' && isOutOfBudget) return { ...NEEDS_YOU, word: 'out of budget' };
  return waiting > 0 && (status === 'running' || status === 'paused') ? NEEDS_YOU : PLAN_SIGNS[status];
}
