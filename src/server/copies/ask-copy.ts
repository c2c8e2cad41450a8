import { randomUUID } from 'node:crypto';
import type { Engine } from '../../engine/engine.ts';
import type { Problems } from '../../problems/problems.ts';
import { type Actor, SYSTEM } from '../../protocol/actor.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { Log } from '../shared/log.ts';

export interface CopyParts {
  /** The whole engine: routes have checked that the caller may reach the session. */
  readonly engine: Engine;
  readonly problems: Problems;
  readonly log: Log;
}

/** One question for the agent of a session, asked in a copy of its conversation. */
export interface CopyQuestion {
  readonly session: Session;
  readonly actor: Actor;
  readonly purpose: 'commit-message' | 'side-question';
  readonly title: string;
  readonly prompt: string;
  readonly waitMs: number;
}

/** The answer, or why there is none, as the start of a sentence. */
export type CopyAnswer = { readonly text: string } | { readonly why: string };

/** Sessions that hold such a copy for as long as the question takes. */
const COPY = /^(commit-message|side-question)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The session itself goes on undisturbed. The copy gets no tools, has no record of its own and is deleted afterwards, whatever happened. */
export async function askCopy(parts: CopyParts, { session, actor, purpose, title, prompt, waitMs }: CopyQuestion): Promise<CopyAnswer> {
  const { engine } = parts;
  const known = (await engine.agents()).find(({ id }) => id === session.agent);
  const canFork = session.capabilities?.fork ?? known?.capabilities.fork ?? false;
  if (!canFork || session.agentSessionId === undefined) return { why: 'The agent can’t be asked in a copy of this conversation' };
  const sessionId = `${purpose}-${randomUUID()}` as SessionId;
  const modes = session.capabilities?.modes ?? known?.capabilities.modes ?? [];
  const isBare = known?.refusedOptions?.includes('noTools') === false;
  const answered = answerIn(parts, sessionId, waitMs);
  try {
    const receipt = await engine.submit(
      {
        type: 'session.create',
        commandId: sessionId as string as CommandId,
        sessionId,
        agent: session.agent,
        cwd: session.cwd,
        // Whatever mode the session is in, its copy may change nothing.
        options: {
          ephemeral: true,
          tools: false,
          ...(isBare && { noTools: true }),
          ...(modes.includes('plan') && { permissionMode: 'plan' }),
          ...(session.model !== undefined && { model: session.model }),
        },
        title,
        prompt,
        goOn: { how: 'fork', sessionId: session.id },
      },
      actor,
    );
    if (isRefusal(receipt)) return { why: `The agent could not be asked (${receipt.message})` };
    return await answered.answer;
  } finally {
    answered.stop();
    await forget(parts, sessionId);
  }
}

/** The answer of the turn. A copy that asks for permission or uses a tool is not answered: it was told to use none. */
function answerIn({ engine, problems }: CopyParts, id: SessionId, waitMs: number): { readonly answer: Promise<CopyAnswer>; readonly stop: () => void } {
  let settle: (answer: CopyAnswer) => void = () => undefined;
  const answer = new Promise<CopyAnswer>((resolve) => {
    settle = resolve;
  });
  let text = '';
  const unwatch = engine.watch(id, (news) => {
    if (news.kind !== 'events') return;
    for (const event of news.events) {
      if (event.inherited === true) continue;
      if (event.type === 'tool.started' || event.type === 'permission.requested') settle({ why: 'The agent wanted to use a tool' });
      if (event.type === 'assistant.text') text = event.text;
      if (event.type === 'session.exited') settle({ why: 'The agent ended without an answer' });
      if (event.type === 'turn.completed') settle(event.isError || text.trim() === '' ? { why: 'The agent gave no answer' } : { text });
    }
  });
  const timer = problems.after('wait for an answer beside a session', waitMs, () => settle({ why: 'The agent took too long' }));
  timer.unref();
  return {
    answer,
    stop: () => {
      clearTimeout(timer);
      unwatch();
    },
  };
}

async function forget({ engine }: CopyParts, sessionId: SessionId): Promise<void> {
  await engine.submit({ type: 'session.delete', commandId: `delete:${sessionId}` as CommandId, sessionId }, SYSTEM);
}

/** Copies that an earlier server asked and could not delete. */
export function forgetCopies(parts: CopyParts): void {
  for (const { id } of parts.engine.sessions()) {
    if (COPY.test(id)) forget(parts, id).catch((error: unknown) => parts.log.warn({ error, session: id }, 'could not delete a copy that was asked a question'));
  }
}
