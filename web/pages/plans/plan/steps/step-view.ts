import type { LampSign } from '../../../../base/ui/lamp.ts';

/** The little of a step that order, places and lines depend on. */
export interface Linked {
  readonly id: string;
  readonly needs: readonly string[];
}

/** A step as graph, list and board draw it. Equal steps are the same object, so that only what changed is drawn again. */
export interface StepView extends Linked {
  readonly title: string;
  readonly kind: 'work' | 'command' | 'gate';
  readonly sign: LampSign;
  /** Who does it: an agent, a command, or a person. */
  readonly by: string;
  readonly group: string | undefined;
  /** Undefined while no price is known. */
  readonly usd: number | undefined;
  /** Time of work so far, without the stretch that runs now. */
  readonly ms: number;
  /** Since when it runs. */
  readonly runningSince: number | undefined;
  /** More than one after a retry. */
  readonly attempts: number;
  /** What it waits for, in words. */
  readonly waits: string | undefined;
  /** Finished: lines that leave it are passed. */
  readonly isDone: boolean;
}

/** What a list of operations would do to a step or a line. */
export type Mark = 'added' | 'removed' | 'edited' | 'rewired';

/** What is drawn: the steps, what would change, and which of them the plan's end depends on. */
export interface Drawing {
  readonly steps: readonly StepView[];
  readonly marks: ReadonlyMap<string, Mark>;
  readonly lineMarks: ReadonlyMap<string, 'added' | 'removed'>;
  readonly critical: ReadonlySet<string>;
}

/** What every view of the steps gets. */
export interface StepListProps {
  readonly drawing: Drawing;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

/** Names the line between two steps. */
export const lineId = (from: string, to: string): string => `${from}>${to}`;
