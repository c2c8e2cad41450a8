import { SessionId } from '../../../src/protocol/ids.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { PastConversation, Rewind, WaitingChange } from '../../client/http/session-api.ts';
import type { Desk } from '../cockpit.ts';
import { withSession } from '../frames/fold-frames.ts';
import { editWaiting } from '../sending/edit-waiting.ts';
import { type Press, presses, twice } from '../sending/presses.ts';
import { withNotice } from '../state/notices.ts';

/** What a person can do with a session beside speaking to it. A refusal becomes a notice in the server's words. */
export interface Steering {
  /** Words that could not replace the waiting ones go to the composer: nothing typed is lost. */
  editWaiting(sessionId: string, target: string, text: string): Promise<void>;
  moveWaiting(sessionId: string, target: string, before: string | null): Promise<void>;
  steerWaiting(sessionId: string, target: string): Promise<void>;
  cancelWaiting(sessionId: string, target: string): Promise<void>;
  set(sessionId: string, setting: 'model' | 'mode' | 'thinking', value: string): Promise<void>;
  goOnByItself(sessionId: string): Promise<void>;
  stayStill(sessionId: string): Promise<void>;
  sleep(sessionId: string): Promise<void>;
  wake(sessionId: string): Promise<void>;
  takeOver(sessionId: string): Promise<void>;
  setClosed(sessionId: string, closed: boolean): Promise<void>;
  /** The new session, or nothing when it was refused. */
  fork(sessionId: string, at?: number): Promise<Session | undefined>;
  continueFrom(session: Session, at: number): Promise<Session | undefined>;
  /** These throw: their dialogs stay open and say why. */
  past(agent: string, cwd: string): Promise<readonly PastConversation[]>;
  handOver(sessionId: string, how: string | undefined): Promise<Session>;
  rewind(sessionId: string, seq: number, dryRun: boolean): Promise<Rewind>;
}

export function steering(desk: Desk): Steering {
  const { api } = desk.options;
  const press = presses(desk.options);
  const change = (sessionId: string, target: string, wish: WaitingChange) => {
    const commandId = desk.options.newId();
    return told(
      desk,
      twice(() => api.changeWaiting(sessionId, target, wish, commandId)),
    );
  };
  return {
    editWaiting: (sessionId, target, text) => editWaiting(desk, sessionId, target, text),
    moveWaiting: (sessionId, target, before) => change(sessionId, target, { before }),
    steerWaiting: (sessionId, target) => change(sessionId, target, { mode: 'steer' }),
    cancelWaiting: (sessionId, target) => told(desk, api.cancelWaiting(sessionId, target)),
    set: (sessionId, setting, value) => told(desk, api.set(sessionId, setting, value)),
    goOnByItself: (sessionId) => told(desk, api.goOnByItself(sessionId)),
    stayStill: (sessionId) => told(desk, api.stayStill(sessionId)),
    sleep: (sessionId) => told(desk, api.sleep(sessionId)),
    wake: (sessionId) => told(desk, api.wake(sessionId)),
    takeOver: (sessionId) => told(desk, api.takeOver(sessionId)),
    setClosed: (sessionId, closed) => told(desk, api.setClosed(sessionId, closed)),
    fork: (sessionId, at) =>
      made(
        desk,
        press(['fork', sessionId, at], (id) => api.fork(sessionId, at, id)),
      ),
    continueFrom: (session, at) => continueFrom(desk, press, session, at),
    handOver: async (sessionId, how) => known(desk, await press(['hand over', sessionId, how], (id) => api.handOver(sessionId, how, id))),
    past: (agent, cwd) => api.past(agent, cwd),
    rewind: (sessionId, seq, dryRun) => api.rewind(sessionId, seq, dryRun),
  };
}

/** Without the conversation's id a fresh session would begin in its place. */
async function continueFrom(desk: Desk, press: Press, { id, agent, cwd, agentSessionId }: Session, at: number): Promise<Session | undefined> {
  if (agentSessionId === undefined) {
    desk.store.setState((state) => withNotice(state, 'error', 'This session has no conversation with its agent yet, so there is nothing to go on from.'));
    return undefined;
  }
  const ask = (made: string) => desk.options.api.createSession({ agent, cwd, at, resume: agentSessionId, id: SessionId.parse(made) });
  return made(desk, press(['continue', id, at], ask));
}

async function made(desk: Desk, asked: Promise<Session>): Promise<Session | undefined> {
  try {
    return known(desk, await asked);
  } catch (error) {
    desk.store.setState((state) => withNotice(state, 'error', wordsOf(error)));
    return undefined;
  }
}

function known(desk: Desk, session: Session): Session {
  desk.store.setState((state) => withSession(state, session));
  return session;
}

async function told({ store }: Desk, done: Promise<void>): Promise<void> {
  await done.catch((error: unknown) => store.setState((state) => withNotice(state, 'error', wordsOf(error))));
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
