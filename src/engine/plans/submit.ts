import type { Refusal } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { PlanId } from '../../protocol/plan.ts';

/** The server is ending or the disk is full: the same command works later. */
export const isPassing = ({ refused }: Refusal): boolean => refused === 'shutting-down' || refused === 'disk-low' || refused === 'too-many-live';

/** The step of a command id for an attempt's message: the first one comes with the session. */
export const inputStep = (n: number): string => (n === 1 ? 'run' : `input${n}`);

export const generationCommand = (plan: PlanId, n: number, input: number): CommandId => `plan:${plan}:generate:${n}:${input}` as CommandId;
