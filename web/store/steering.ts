import type { Session } from '../../src/protocol/session.ts';
import type { PastConversation, Rewind, WaitingChange } from '../client/session-api.ts';
import type { Desk } from './cockpit.ts';
import { rescue } from './editing.ts';
import { withSession } from './fold-frames.ts';
import { withNotice } from './notices.ts';

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
  const change = (sessionId: string, target: string, wish: WaitingChange) => told(desk, api.changeWaiting(sessionId, target, wish));
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
    fork: (sessionId, at) => made(desk, api.fork(sessionId, at)),
    continueFrom: ({ agent, cwd, agentSessionId }, at) =>
      made(desk, api.createSession({ agent, cwd, at, ...(agentSessionId !== undefined && { resume: agentSessionId }) })),
    handOver: async (sessionId, how) => known(desk, await api.handOver(sessionId, how)),
    past: (agent, cwd) => api.past(agent, cwd),
    rewind: (sessionId, seq, dryRun) => api.rewind(sessionId, seq, dryRun),
  };
}

async function editWaiting(desk: Desk, sessionId: string, target: string, text: string): Promise<void> {
  const problem = await desk.options.api.changeWaiting(sessionId, target, { text }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (problem === undefined) return;
  rescue(desk, sessionId, text);
  desk.store.setState((state) => withNotice(state, 'warning', `${problem} Your changed words are in the composer.`));
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
