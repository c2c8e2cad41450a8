import type { Blame } from '../../protocol/api/blame.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { Services } from '../http/route.ts';
import { anySession, eventsOf } from '../shared/transcripts.ts';
import type { Origin } from './gather.ts';

type Source = Omit<Blame, 'path' | 'line' | 'text' | 'certainty' | 'commit'>;

/** A call and its approval are rarely further apart than this; a prompt can be. */
const PAGE = 200;
const PAGES = 20;

/** The session, turn, call, prompt and approval behind a line. */
export async function sourceOf(caller: Services, origin: Origin): Promise<Source> {
  if ('edit' in origin) return ofEdit(caller, origin);
  const session = await anySession(caller, origin.sessionId);
  if (session === undefined) return {};
  const { turnId, seq } = origin.turn;
  const after = await eventsOf(caller, session, { after: seq - 1, limit: PAGE });
  const [started] = after;
  const prompt = after.find((event) => event.type === 'user.message') ?? (await promptBefore(caller, session, seq));
  return { session: named(session), seq, ...(started !== undefined && { at: started.at }), turn: { turnId, seq }, ...promptOf(prompt) };
}

async function ofEdit(caller: Services, { session, edit }: Extract<Origin, { readonly edit: unknown }>): Promise<Source> {
  const { seq, at, toolUseId, tool, turnId, turnSeq } = edit;
  const page = await eventsOf(caller, session, { before: seq + 1, limit: PAGE });
  const prompt = page.findLast((event) => event.type === 'user.message') ?? (await promptBefore(caller, session, page[0]?.seq ?? 0));
  return {
    session: named(session),
    seq,
    at,
    ...(turnId !== undefined && turnSeq !== undefined && { turn: { turnId: turnId as TurnId, seq: turnSeq } }),
    call: { toolUseId, ...(tool !== undefined && { tool }) },
    ...promptOf(prompt),
    ...approvalOf(page, toolUseId),
  };
}

const named = ({ id, title, agent }: Session): NonNullable<Blame['session']> => ({ id, title, agent });

async function promptBefore(caller: Services, session: Session, seq: number): Promise<EventOf<'user.message'> | undefined> {
  let before = seq;
  for (let page = 0; page < PAGES && before > 1; page += 1) {
    const events = await eventsOf(caller, session, { before, limit: PAGE });
    const found = events.findLast((event) => event.type === 'user.message');
    if (found !== undefined) return found;
    before = events[0]?.seq ?? 0;
  }
  return undefined;
}

const PROMPT_CHARS = 500;

const promptOf = (event: EventOf<'user.message'> | undefined): Pick<Blame, 'prompt'> =>
  event === undefined ? {} : { prompt: { seq: event.seq, text: event.text.slice(0, PROMPT_CHARS) } };

function approvalOf(events: readonly Event[], toolUseId: string): Pick<Blame, 'approval'> {
  const asked = events.findLast((event) => event.type === 'permission.requested' && event.toolUseId === toolUseId);
  if (asked?.type !== 'permission.requested') return {};
  const answer = events.find((event) => event.type === 'permission.resolved' && event.requestId === asked.requestId);
  if (answer?.type !== 'permission.resolved') return {};
  const { requestId, seq, outcome, actor } = answer;
  return {
    approval: { requestId, seq, outcome, ...(actor !== undefined && { by: actor }), waitedMs: Math.max(0, Date.parse(answer.at) - Date.parse(asked.at)) },
  };
}
