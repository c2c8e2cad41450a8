import { basename } from 'node:path';
import { projectIdOf } from '../../agents/port/project-id.ts';
import type { PastSession } from '../../archive/archive.ts';
import type { Session } from '../../protocol/session.ts';

/** What only this machine knows about its past sessions. */
export interface PastMachine {
  readonly node: string;
  readonly hostname: string;
  readonly platform: string;
}

/** Another program that currently has the conversation open. */
export interface PastDriver {
  readonly pid: number;
  readonly since?: string;
  readonly what?: string;
}

/** Shown when the record doesn't name its folder. */
const UNKNOWN_FOLDER = 'folder unknown';

/** A past session as lists and pages show it. It is busy or idle only while a program has it open; the end of its record says which. */
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
    project: cwd === '' ? UNKNOWN_FOLDER : basename(cwd) || cwd,
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
