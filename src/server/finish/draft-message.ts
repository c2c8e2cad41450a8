import { randomUUID } from 'node:crypto';
import { draftQuestion, messageFromPaths, messageIn } from '../../domain/finish/draft-message.ts';
import { finishStatus } from '../../git/finish-status.ts';
import { runGit } from '../../git/run-git.ts';
import { PLAIN_DIFF } from '../../git/working-tree.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { DraftMessage } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import { type Acting, type FinishContext, repositoryFor } from './finish-context.ts';

const DIFF_BYTES = 100 * 1024;
/** A message that takes longer is written faster by hand. */
const ANSWER_MS = 90_000;

const isDraftSession = (id: string): boolean => DRAFT.test(id);
const DRAFT = /^commit-message-[0-9a-f-]{36}$/;

/** Asks the session's agent in a copy of its conversation, or makes a message from the changed files; the answer says which. */
export async function draftMessage(context: FinishContext, acting: Acting): Promise<DraftMessage | Refusal> {
  const { session } = acting;
  const place = await repositoryFor(context, session);
  if (isRefusal(place)) return place;
  const status = await finishStatus(place, context.allowedRoots);
  if ('words' in status) return { refused: 'conflict', message: status.words };
  if (status.staged.length === 0) return { refused: 'conflict', message: 'Nothing is staged. Stage what you want to commit, then draft its message.' };
  const diff = await runGit(place, [...PLAIN_DIFF, '--cached'], DIFF_BYTES);
  const asked = diff.ok ? await askAgent(context, acting, draftQuestion(diff.out.toString('utf8'), diff.isCut)) : { why: diff.words };
  if ('text' in asked) return { text: asked.text, by: 'agent' };
  return { text: messageFromPaths(status.staged, promptOf(context, session.id)), by: 'paths', note: asked.why };
}

function promptOf({ engine }: FinishContext, id: SessionId): string {
  const first = engine.events(id, { after: 0, limit: 200 }).find((event) => event.type === 'user.message' && event.origin !== 'agent');
  const text = first?.type === 'user.message' ? first.text.trim() : '';
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}

type Asked = { readonly text: string } | { readonly why: string };

async function askAgent(context: FinishContext, { session, actor }: Acting, question: string): Promise<Asked> {
  const { engine } = context;
  const known = (await engine.agents()).find(({ id }) => id === session.agent);
  const canFork = session.capabilities?.fork ?? known?.capabilities.fork ?? false;
  if (!canFork || session.agentSessionId === undefined)
    return { why: 'The agent can’t be asked in a copy of this conversation, so this is made from the changed files.' };
  const sessionId = `commit-message-${randomUUID()}` as SessionId;
  const modes = session.capabilities?.modes ?? known?.capabilities.modes ?? [];
  const answered = answerIn(context, sessionId);
  const receipt = await engine.submit(
    {
      type: 'session.create',
      commandId: sessionId as string as CommandId,
      sessionId,
      agent: session.agent,
      cwd: session.cwd,
      // Whatever mode the session is in, its copy may change nothing.
      options: { ephemeral: true, ...(modes.includes('plan') && { permissionMode: 'plan' }), ...(session.model !== undefined && { model: session.model }) },
      title: 'Commit message',
      prompt: question,
      goOn: { how: 'fork', sessionId: session.id },
    },
    actor,
  );
  if (isRefusal(receipt)) {
    answered.stop();
    return { why: `The agent could not be asked (${receipt.message}), so this is made from the changed files.` };
  }
  try {
    return await answered.answer;
  } finally {
    answered.stop();
    await forgetDraft(context, sessionId);
  }
}

/** The answer of the turn. A copy that asks for permission or uses a tool is not answered: it was told to use none. */
function answerIn({ engine, problems }: FinishContext, id: SessionId): { readonly answer: Promise<Asked>; readonly stop: () => void } {
  let settle: (asked: Asked) => void = () => undefined;
  const answer = new Promise<Asked>((resolve) => {
    settle = resolve;
  });
  let text = '';
  const failed = (why: string): Asked => ({ why: `${why}, so this is made from the changed files.` });
  const unwatch = engine.watch(id, (news) => {
    if (news.kind !== 'events') return;
    for (const event of news.events) {
      if (event.inherited === true) continue;
      if (event.type === 'tool.started' || event.type === 'permission.requested') settle(failed('The agent wanted to use a tool'));
      if (event.type === 'assistant.text') text = event.text;
      if (event.type === 'session.exited') settle(failed('The agent ended without an answer'));
      if (event.type !== 'turn.completed') continue;
      const message = messageIn(text);
      settle(event.isError || message === undefined ? failed('The agent gave no answer') : { text: message });
    }
  });
  const timer = problems.after('wait for a commit message', ANSWER_MS, () => settle(failed('The agent took too long')));
  timer.unref();
  return {
    answer,
    stop: () => {
      clearTimeout(timer);
      unwatch();
    },
  };
}

async function forgetDraft({ engine }: FinishContext, sessionId: SessionId): Promise<void> {
  await engine.submit({ type: 'session.delete', commandId: `delete:${sessionId}` as CommandId, sessionId }, SYSTEM);
}

/** Copies that an earlier server asked and could not delete. */
export function forgetDrafts(context: FinishContext): void {
  for (const { id } of context.engine.sessions()) {
    if (isDraftSession(id))
      forgetDraft(context, id).catch((error: unknown) =>
        context.log.warn({ error, session: id }, 'could not delete a copy that was asked for a commit message'),
      );
  }
}
