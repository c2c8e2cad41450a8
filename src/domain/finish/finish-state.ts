import type { Actor } from '../../protocol/actor.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { GitAct, LongAct, PrCard, SessionPr } from '../../protocol/git.ts';
import type { CommandId, ScriptId } from '../../protocol/ids.ts';
import { handlerOf } from '../handle-event.ts';
import { cardsAfter } from './pr-cards.ts';

/** What a session's git acts and pull request have come to; folded from its events. */
export interface FinishState {
  /** The event with the settings and hooks that were there before the agent did anything. */
  readonly notedSeq: number | null;
  /** Hashes of texts that a person confirmed, the latest last. */
  readonly trusted: readonly string[];
  /** The commit or push that has no outcome yet. */
  readonly running: RunningAct | null;
  /** The last acts, so that repeating a command returns its outcome. */
  readonly recent: readonly ActOutcome[];
  readonly pr: LinkedPr | null;
}

export interface RunningAct {
  readonly commandId: CommandId;
  readonly act: LongAct;
  readonly scriptId: ScriptId;
  readonly at: string;
  readonly by: Actor | null;
  readonly head: string | null;
  readonly remote: string | null;
  readonly branch: string | null;
}

export interface ActOutcome {
  readonly commandId: CommandId;
  readonly act: GitAct;
  readonly ok: boolean;
  readonly seq: number;
  readonly at: string;
  readonly commit?: string;
  readonly url?: string;
  readonly checkpointId?: string;
  readonly scriptId?: string;
  readonly message?: string;
}

export interface LinkedPr extends SessionPr {
  readonly linkedAt: string;
  /** Ids of the comments that were reported. */
  readonly seen: readonly string[];
  readonly cards: PrCard[];
}

export const NO_FINISH: FinishState = { notedSeq: null, trusted: [], running: null, recent: [], pr: null };

const TRUSTED = 20;
const RECENT = 20;
const SEEN = 1000;

type FinishType = 'git.noted' | 'git.trusted' | 'git.started' | 'git.acted' | 'pr.linked' | 'pr.updated' | 'pr.dismissed';
export type FinishEvent = EventOf<FinishType>;

export const isFinishEvent = (event: Event): event is FinishEvent => event.type in CHANGES;

export const finished = (state: FinishState = NO_FINISH, event: FinishEvent): FinishState => handlerOf(CHANGES, event)(state, event);

const CHANGES: { readonly [T in FinishType]: (state: FinishState, event: EventOf<T>) => FinishState } = {
  'git.noted': (state, event) => ({ ...state, notedSeq: state.notedSeq ?? event.seq }),
  'git.trusted': (state, event) => ({ ...state, trusted: [...state.trusted.filter((known) => known !== event.sha256), event.sha256].slice(-TRUSTED) }),
  'git.started': (state, { commandId, act, scriptId, at, actor = null, head = null, remote = null, branch = null }) => ({
    ...state,
    running: { commandId, act, scriptId, at, by: actor, head, remote, branch },
  }),
  'git.acted': acted,
  'pr.linked': (state, { host, url, number, at }) =>
    state.pr?.url === url ? state : { ...state, pr: { host, url, number, linkedAt: at, state: 'open', checks: [], seen: [], cards: [] } },
  'pr.updated': updated,
  'pr.dismissed': (state, event) =>
    state.pr === null ? state : { ...state, pr: { ...state.pr, cards: state.pr.cards.filter((card) => card.id !== event.card) } },
};

function acted(state: FinishState, event: EventOf<'git.acted'>): FinishState {
  const { commandId, act, ok, seq, at, commit, url, checkpointId, scriptId, message } = event;
  const outcome: ActOutcome = {
    ...{ commandId, act, ok, seq, at },
    ...(commit !== undefined && { commit }),
    ...(url !== undefined && { url }),
    ...(checkpointId !== undefined && { checkpointId }),
    ...(scriptId !== undefined && { scriptId }),
    ...(message !== undefined && { message }),
  };
  return { ...state, running: state.running?.commandId === commandId ? null : state.running, recent: [...state.recent, outcome].slice(-RECENT) };
}

function updated(state: FinishState, event: EventOf<'pr.updated'>): FinishState {
  if (state.pr === null || state.pr.url !== event.url) return state;
  const seen = [...new Set([...state.pr.seen, ...event.comments.map(({ id }) => id)])].slice(-SEEN);
  return { ...state, pr: { ...state.pr, state: event.state, checks: event.checks, seen, cards: cardsAfter(state.pr, event) } };
}

/** As lists and the inbox show it. */
export const shownPr = ({ linkedAt: _, seen: __, ...shown }: LinkedPr): SessionPr => shown;
