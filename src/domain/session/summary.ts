import { isSession } from '../../protocol/ids.ts';
import { nodeOfSession, planOfSession } from '../../protocol/plan.ts';
import type { PastOfSession, QueuedInput, Session } from '../../protocol/session.ts';
import { shownPr } from '../finish/finish-state.ts';
import type { LineLimit } from '../queue/line-text.ts';
import type { SessionState } from './state.ts';

/** What only this machine knows about a session. */
export interface SummaryContext {
  readonly projectId: string;
  readonly project: string;
  readonly hostname: string;
  readonly platform: string;
  readonly pid?: number;
  readonly rssBytes?: number;
  readonly ports?: NonNullable<Session['ports']>;
  /** While it waits for a slot. */
  readonly line?: LineLimit & { readonly place: number };
  /** The scope of the preference because of which it continues at a reset. */
  readonly atReset?: NonNullable<Session['continuesAtReset']>;
  /** A program waits for its messages. */
  readonly isPolled?: boolean;
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
    title: ownTitle(state) ?? context.project,
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
    ...messageTagsOf(state),
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
    ...(meta.giveComments === true && { giveComments: true }),
    ...(state.driver !== null && { driver: shownDriver(state.driver) }),
    ...(state.limit !== null && { limit: state.limit }),
    ...(state.continuation !== null && { continuesAt: state.continuation.resumesAt }),
    ...(state.limit !== null && context.atReset !== undefined && { continuesAtReset: context.atReset }),
    ...(born.parent !== null && { parent: { sessionId: born.parent.sessionId as Session['id'], seq: born.parent.seq } }),
    ...(born.startedBy !== undefined && isSession(born.startedBy) && { startedBy: born.startedBy as Session['id'] }),
    ...planOf(state.id),
    ...(lastLine !== undefined && { lastLine }),
    ...(drafts > 0 && { drafts }),
    ...(meta.archived && { archived: true }),
    ...(meta.note !== null && { note: meta.note }),
    ...(state.costUsd !== null && { costUsd: state.costUsd }),
    ...(state.contextTokens !== null && state.contextWindow !== null && { context: { tokens: state.contextTokens, window: state.contextWindow } }),
    ...(state.base > 0 && { past: { ...(context.record?.past ?? NOT_KNOWN_NOW), lastSeq: state.base } }),
    ...(state.cutOff?.isFoundAtStart === true && { cutOff: { seq: state.cutOff.seq, at: state.cutOff.at } }),
    ...(state.finished !== undefined && { finished: state.finished }),
    ...(state.paused !== undefined && { queuePaused: true }),
    ...(context.isPolled === true && { polling: true }),
    ...(context.line !== undefined && { placeInLine: context.line.place, lineLimit: { of: context.line.of, limit: context.line.limit } }),
    ...(state.finish?.pr != null && { pr: shownPr(state.finish.pr) }),
    ...(context.pid !== undefined && { pid: context.pid }),
    ...(context.rssBytes !== undefined && { rssBytes: context.rssBytes }),
    ...(context.ports !== undefined && { ports: [...context.ports] }),
  };
}

function messageTagsOf({ itemTags }: SessionState): Pick<Session, 'messageTags'> {
  const tags = new Set(Object.values(itemTags ?? {}).flat());
  return tags.size === 0 ? {} : { messageTags: [...tags].sort() };
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

const TITLE_CHARS = 60;

/** The first line of a prompt, short and without Markdown, for a session that nobody named. */
export function titleFrom(prompt: string | null): string | undefined {
  const line = prompt
    ?.split('\n')
    .map((part) => part.replace(/^\s*(?:[-*+>]\s|#{1,6}\s)/, '').trim())
    .find((part) => part !== '');
  if (line === undefined) return undefined;
  return line.length > TITLE_CHARS ? `${atWord(line.slice(0, TITLE_CHARS - 1))}…` : line;
}

/** Cut after a whole word, unless that leaves too little. */
function atWord(text: string): string {
  const end = text.lastIndexOf(' ');
  return (end > TITLE_CHARS / 2 ? text.slice(0, end) : text).replace(/[\s,;:.]+$/, '');
}

const FORK = 'Fork of ';

/** A fork is titled after the session it continues. */
export const forkTitle = (title: string): string => `${FORK}${title.startsWith(FORK) ? title.slice(FORK.length) : title}`;

/** The title of a session without what only its machine knows; undefined if it has none of its own. */
export const ownTitle = ({ meta }: SessionState): string | undefined => meta.title ?? meta.reportedTitle ?? titleFrom(meta.firstPrompt);

/** The step of a plan that the session works for. */
function planOf(id: string): Pick<Session, 'plan'> {
  const planId = planOfSession(id);
  const node = nodeOfSession(id);
  return planId === undefined ? {} : { plan: { planId, ...(node !== undefined && { nodeId: node.nodeId }) } };
}
