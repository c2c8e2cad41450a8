import { CONTINUE_TEXT, continueId } from '../../../src/domain/session/cut-off.ts';
import { SessionId } from '../../../src/protocol/ids.ts';
import type { RuleScope } from '../../../src/protocol/rule.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { PastConversation, QueuedChange, Rewind } from '../../client/http/session-api.ts';
import { withSession } from '../frames/fold-frames.ts';
import { editQueued } from '../sending/edit-queued.ts';
import { retryOnce, sameIdOnRetry, type WithSameId } from '../sending/retry.ts';
import { noticeOnError, withNotice } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';

/** What a user can do with a session besides sending messages. A refusal becomes a notice with the server's message. */
export interface Steering {
  /** An edit that the server refuses goes to the composer: nothing typed is lost. */
  editQueued(sessionId: string, target: string, text: string): Promise<void>;
  moveQueued(sessionId: string, target: string, before: string | null): Promise<void>;
  steerQueued(sessionId: string, target: string): Promise<void>;
  cancelQueued(sessionId: string, target: string): Promise<void>;
  changeQueue(sessionId: string, verb: 'pause' | 'resume' | 'clear'): Promise<void>;
  set(sessionId: string, setting: 'model' | 'mode' | 'thinking', value: string): Promise<void>;
  /** Continues turns that were cut off, each once, whoever else does the same. */
  continueCutOff(sessions: readonly Session[]): Promise<void>;
  preferAtReset(scope: RuleScope, choice: 'on' | 'off' | 'unset'): Promise<void>;
  resumeAutomatically(sessionId: string): Promise<void>;
  cancelAutomaticResume(sessionId: string): Promise<void>;
  sleep(sessionId: string): Promise<void>;
  wake(sessionId: string): Promise<void>;
  takeOver(sessionId: string): Promise<void>;
  setPrivate(sessionId: string, closed: boolean): Promise<void>;
  /** The new session, or undefined if it was refused. */
  fork(sessionId: string, at?: number): Promise<Session | undefined>;
  continueFrom(session: Session, at: number): Promise<Session | undefined>;
  /** These throw: their dialogs stay open and show why. */
  past(agent: string, cwd: string): Promise<readonly PastConversation[]>;
  handOver(sessionId: string, how: string | undefined): Promise<Session>;
  rewind(sessionId: string, seq: number, dryRun: boolean): Promise<Rewind>;
}

export function steering(context: StoreContext): Steering {
  const { api } = context.options;
  const withSameId = sameIdOnRetry(context.options);
  const add = (session: Session) => addSession(context, session);
  const change = (sessionId: string, target: string, changes: QueuedChange) => {
    const commandId = context.options.newId();
    return noticeOnError(
      context,
      retryOnce(() => api.changeQueued(sessionId, target, changes, commandId)),
    );
  };
  return {
    editQueued: (sessionId, target, text) => editQueued(context, sessionId, target, text),
    moveQueued: (sessionId, target, before) => change(sessionId, target, { before }),
    steerQueued: (sessionId, target) => change(sessionId, target, { mode: 'steer' }),
    cancelQueued: (sessionId, target) => noticeOnError(context, api.cancelQueued(sessionId, target)),
    changeQueue: (sessionId, verb) => noticeOnError(context, api.changeQueue(sessionId, verb)),
    set: (sessionId, setting, value) => noticeOnError(context, api.set(sessionId, setting, value)),
    continueCutOff: async (sessions) => {
      const turns = sessions.flatMap(({ id, cutOff }) => (cutOff === undefined ? [] : [{ id, commandId: continueId(id, cutOff.seq) }]));
      await Promise.all(turns.map(({ id, commandId }) => noticeOnError(context, api.sendOnce(id, CONTINUE_TEXT, commandId))));
    },
    preferAtReset: (scope, choice) => noticeOnError(context, api.preferAtReset(scope, choice)),
    resumeAutomatically: (sessionId) => noticeOnError(context, api.resumeAutomatically(sessionId)),
    cancelAutomaticResume: (sessionId) => noticeOnError(context, api.cancelAutomaticResume(sessionId)),
    sleep: (sessionId) => noticeOnError(context, api.sleep(sessionId)),
    wake: (sessionId) => noticeOnError(context, api.wake(sessionId)),
    takeOver: (sessionId) => noticeOnError(context, api.takeOver(sessionId)),
    setPrivate: (sessionId, closed) => noticeOnError(context, api.setPrivate(sessionId, closed)),
    fork: (sessionId, at) => noticeOnError(context, withSameId(['fork', sessionId, at], (id) => api.fork(sessionId, at, id)).then(add)),
    continueFrom: (session, at) => continueFrom(context, withSameId, session, at),
    handOver: async (sessionId, how) => add(await withSameId(['hand over', sessionId, how], (id) => api.handOver(sessionId, how, id))),
    past: (agent, cwd) => api.past(agent, cwd),
    rewind: (sessionId, seq, dryRun) => api.rewind(sessionId, seq, dryRun),
  };
}

/** Without the conversation's id, a new session would start instead. */
async function continueFrom(
  context: StoreContext,
  withSameId: WithSameId,
  { id, agent, cwd, agentSessionId }: Session,
  at: number,
): Promise<Session | undefined> {
  if (agentSessionId === undefined) {
    context.store.setState((state) =>
      withNotice(state, 'error', 'This session has no conversation yet, so there is nothing to continue from. Send a message first.'),
    );
    return undefined;
  }
  const ask = (made: string) => context.options.api.createSession({ agent, cwd, at, resume: agentSessionId, id: SessionId.parse(made) });
  return noticeOnError(
    context,
    withSameId(['continue', id, at], ask).then((session) => addSession(context, session)),
  );
}

function addSession(context: StoreContext, session: Session): Session {
  context.store.setState((state) => withSession(state, session));
  return session;
}
