import { hash } from 'node:crypto';
import type { PastLine } from '../../agents/archive.ts';
import { timeOf } from './times.ts';

/**
 * What a line is known by in its session, in 8 bytes. They are not checked against the text: among a million lines of one session two would
 * be taken for one with a chance of one in forty million.
 */
export type Identity = Buffer;

export const IDENTITY_BYTES = 8;

const hashOf = (kind: string, text: string): Identity => hash('sha1', kind + text, 'buffer').subarray(0, IDENTITY_BYTES);

/** The agent's own id of a line. */
export const nodeIdentity = (id: string): Identity => hashOf('n', id);

/** A line without an id is known by its text and its time. */
export const textIdentity = (text: string): Identity => hashOf('t', text);

/** One that bears no time either may well be written twice: it is told apart by the part of the session it stands in, and by how often it came there. */
export const untimedIdentity = (text: string, part: string | undefined, count: number): Identity =>
  hashOf(`${count === 0 ? '' : count}${part === undefined ? 't' : `p${part}\n`}`, text);

/** The time that the line itself bears, in milliseconds since 1970. */
export function ownTime({ observations, spent }: PastLine): number | undefined {
  for (const { agentAt } of observations) {
    const time = timeOf(agentAt);
    if (time !== undefined) return time;
  }
  return timeOf(spent?.at);
}

/** Whether there is anything in the line that must not be counted twice. */
export const gives = ({ node, observations, spent }: PastLine): boolean => node !== undefined || observations.length > 0 || spent !== undefined;
