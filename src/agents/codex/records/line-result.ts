import type { PastLine, RecordContext } from '../../archive.ts';
import type { Line } from './line.ts';

/** What a line tells beside its place. */
export type Told = Omit<PastLine, 'node'>;

export const NOTHING: Told = { observations: [] };

/** Undefined when the line does not have the shape that was seen, or is of a kind that nobody has seen. */
export type Reader = (line: Line, context: RecordContext) => Told | undefined;

export const agentAt = ({ timestamp }: Line) => (timestamp === undefined ? {} : { agentAt: timestamp });
