import { basename } from 'node:path';
import type { PastSession } from '../archive/archive.ts';
import { projectIdOf } from '../engine/loop/summary.ts';
import type { Session } from '../protocol/session.ts';

/** What only this machine knows of its past sessions. */
export interface PastMachine {
  readonly node: string;
  readonly hostname: string;
  readonly platform: string;
}

/** Another program that holds the conversation now. */
export interface PastDriver {
  readonly pid: number;
  readonly since?: string;
  readonly what?: string;
}

/** What the record does not tell of its folder. */
const NOWHERE = 'folder unknown';

/** A past session as lists and pages show it. Whether it works or rests is told only while a program holds it: then by the end of its record. */
export function summaryOfPast(past: PastSession, machine: PastMachine, driver: PastDriver | undefined): Session {
  const { id, agent, agentSessionId, title, cwd = '', model, createdAt, updatedAt, lastSeq, lastLine, parent } = past;
  const status = driver === undefined ? 'ended' : past.isOpen ? 'busy' : 'idle';
  return {
    id,
    agent,
    agentSessionId,
    title,
    cwd,
    projectId: projectIdOf(cwd),
    project: cwd === '' ? NOWHERE : basename(cwd) || cwd,
    status,
    statusCause: { seq: lastSeq, cause: driver === undefined ? 'record' : 'driver.found' },
    control: driver === undefined ? 'none' : 'elsewhere',
    reachable: true,
    createdAt,
    updatedAt,
    lastSeq,
    waiting: 0,
    queue: [],
    tags: [],
    star: false,
    ...machine,
    owner: '',
    past: past.past,
    ...(model !== undefined && { model }),
    ...(lastLine !== undefined && { lastLine }),
    ...(parent !== undefined && { parent }),
    ...(driver !== undefined && { driver }),
  };
}
