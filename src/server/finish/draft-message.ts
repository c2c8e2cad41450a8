import { draftQuestion, messageFromPaths, messageIn } from '../../domain/finish/draft-message.ts';
import { finishStatus } from '../../git/finish-status.ts';
import { runGit } from '../../git/run-git.ts';
import { PLAIN_DIFF } from '../../git/working-tree.ts';
import type { DraftMessage } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { askCopy } from '../copies/ask-copy.ts';
import { type Acting, type FinishContext, repositoryFor } from './finish-context.ts';

const DIFF_BYTES = 100 * 1024;
/** A message that takes longer is written faster by hand. */
const ANSWER_MS = 90_000;

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
  const answer = await askCopy(context, { session, actor, purpose: 'commit-message', title: 'Commit message', prompt: question, waitMs: ANSWER_MS });
  const message = 'text' in answer ? messageIn(answer.text) : undefined;
  if (message !== undefined) return { text: message };
  return { why: `${'why' in answer ? answer.why : 'The agent gave no answer'}, so this is made from the changed files.` };
}
