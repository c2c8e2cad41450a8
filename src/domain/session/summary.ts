import type { PastOfSession, QueuedInput, Session } from '../../protocol/session.ts';
import { shownPr } from '../finish/finish-state.ts';
import type { SessionState } from './state.ts';

/** What only this machine knows about a session. */
export interface SummaryContext {
  readonly projectId: string;
  readonly project: string;
  readonly hostname: string;
  readonly platform: string;
  readonly pid?: number;
  readonly rssBytes?: number;
  /** Of an adopted session: what its record says. */
  readonly record?: RecordFacts;
}

export interface RecordFacts {
  readonly past: PastOfSession;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly model?: string;
  readonly lastLine?: string;
}

/** A session as lists and pages show it; undefined before it is created. */
export function summarize(state: SessionState, context: SummaryContext): Session | undefined {
  const { born, meta, status } = state;
  const model = state.model ?? context.record?.model;
  const lastLine = state.lastLine ?? context.record?.lastLine;
  if (born === null) return undefined;
  const drafts = Object.values(state.annotations?.made ?? {}).filter((stage) => stage === 'draft').length;
  return {
    id: state.id,
    agent: born.agent,
    title: meta.title ?? titleFrom(meta.firstPrompt) ?? context.project,
    cwd: born.cwd,
    projectId: context.projectId,
    project: context.project,
    status: status.status,
    statusCause: { seq: status.seq, cause: status.cause },
    control: state.run.phase !== 'none' ? 'here' : state.driver === null ? 'none' : 'elsewhere',
    reachable: true,
    createdAt: context.record?.createdAt ?? born.at,
    updatedAt: state.updatedAt === '' ? (context.record?.updatedAt ?? born.at) : state.updatedAt,
    lastSeq: state.seq,
    waiting: state.permissions.length,
    queue: state.queue.map(queued),
    tags: [...meta.tags],
    star: meta.star,
    hostname: context.hostname,
    platform: context.platform,
    node: born.node,
    owner: born.owner,
    ownerId: born.ownerId ?? born.owner,
    ...(state.agentSessionId !== null && { agentSessionId: state.agentSessionId }),
    ...(model !== undefined && { model }),
    ...(state.permissionMode !== null && { permissionMode: state.permissionMode }),
    ...(state.thinking !== null && { thinking: state.thinking }),
    ...(state.can !== undefined && { capabilities: state.can }),
    ...(meta.closed && { closed: true }),
    ...(state.driver !== null && { driver: shownDriver(state.driver) }),
    ...(state.limit !== null && { limit: state.limit }),
    ...(state.continuation !== null && { continuesAt: state.continuation.resumesAt }),
    ...(born.parent !== null && { parent: { sessionId: born.parent.sessionId as Session['id'], seq: born.parent.seq } }),
    ...(lastLine !== undefined && { lastLine }),
    ...(drafts > 0 && { drafts }),
    ...(meta.archived && { archived: true }),
    ...(meta.note !== null && { note: meta.note }),
    ...(state.costUsd !== null && { costUsd: state.costUsd }),
    ...(state.contextTokens !== null && state.contextWindow !== null && { context: { tokens: state.contextTokens, window: state.contextWindow } }),
    ...(state.base > 0 && { past: { ...(context.record?.past ?? NOT_KNOWN_NOW), lastSeq: state.base } }),
    ...(state.finish?.pr != null && { pr: shownPr(state.finish.pr) }),
    ...(context.pid !== undefined && { pid: context.pid }),
    ...(context.rssBytes !== undefined && { rssBytes: context.rssBytes }),
  };
}

/** The record existed at adoption; more is filled in once it is known. */
const NOT_KNOWN_NOW = { bytes: 0, branches: 1, kept: false, gone: false, read: true };

const shownDriver = ({ isLeaving: _, ...shown }: NonNullable<SessionState['driver']>) => shown;

const queued = (input: SessionState['queue'][number]): QueuedInput => ({
  commandId: input.commandId,
  text: input.text,
  mode: input.mode,
  state: input.stage.at,
  images: input.images.length,
  ...(input.at !== '' && { at: input.at }),
  ...(input.by !== null && { by: input.by }),
});

const TITLE_CHARS = 80;

/** The first line of a prompt, for a session that nobody named. */
export function titleFrom(prompt: string | null): string | undefined {
  const line = prompt
    ?.split('\n')
    .find((part) => part.trim() !== '')
    ?.trim();
  if (line === undefined) return undefined;
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line;
}
