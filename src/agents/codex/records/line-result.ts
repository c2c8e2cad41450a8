import type { PastLine, RecordContext } from '../../port/archive.ts';
import type { Line } from './line.ts';

/** What a line reports, without its position in the tree. */
export type LineResult = Omit<PastLine, 'node'>;

export const NOTHING: LineResult = { observations: [] };

/** Undefined for an unknown kind or shape of line. */
export type Reader = (line: Line, context: RecordContext) => LineResult | undefined;

export const agentAt = ({ timestamp }: Line) => (timestamp === undefined ? {} : { agentAt: timestamp });
