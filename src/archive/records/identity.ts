import { hash } from 'node:crypto';
import type { PastLine } from '../../agents/port/archive.ts';
import { timeOf } from './times.ts';

/**
 * What identifies a line in its session, in 8 bytes. Not checked against the text: among a million lines of one session, the chance that
 * two are mistaken for one is one in 40 million.
 */
export type Identity = Buffer;

export const IDENTITY_BYTES = 8;

const hashOf = (kind: string, text: string): Identity => hash('sha1', kind + text, 'buffer').subarray(0, IDENTITY_BYTES);

/** The agent's own id of a line. */
export const nodeIdentity = (id: string): Identity => hashOf('n', id);

/** A line without an id is identified by its text and its time. */
export const textIdentity = (text: string): Identity => hashOf('t', text);

/** A line without a time either can occur twice: it is identified by its part of the session, and by how often it occurred there. */
export const untimedIdentity = (text: string, part: string | undefined, count: number): Identity =>
  hashOf(`${count === 0 ? '' : count}${part === undefined ? 't' : `p${part}\n`}`, text);

/** The line's own time, in milliseconds since 1970. */
export function ownTime({ observations, spent }: PastLine): number | undefined {
  for (const { agentAt } of observations) {
    const time = timeOf(agentAt);
    if (time !== undefined) return time;
  }
  return timeOf(spent?.at);
}

/** Whether the line contains anything that must not be counted twice. */
export const gives = ({ node, observations, spent }: PastLine): boolean => node !== undefined || observations.length > 0 || spent !== undefined;
