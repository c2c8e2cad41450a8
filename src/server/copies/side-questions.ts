import type { Actor } from '../../protocol/actor.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { askCopy, type CopyParts, forgetCopies } from './ask-copy.ts';

export interface SideQuestions {
  /** Asks the agent beside its running turn. */
  ask(session: Session, question: string, actor: Actor): Promise<{ readonly answer: string } | Refusal>;
}

/** A longer answer is better asked as a message. */
const ANSWER_MS = 180_000;

export function openSideQuestions(parts: CopyParts): SideQuestions {
  forgetCopies(parts);
  const asking = new Set<SessionId>();
  return {
    ask: async (session, question, actor) => {
      if (asking.has(session.id)) return { refused: 'conflict', message: 'A side question is already being asked in this session. Wait for its answer.' };
      asking.add(session.id);
      try {
        const answer = await askCopy(parts, {
          session,
          actor,
          purpose: 'side-question',
          title: 'Side question',
          prompt: promptOf(question),
          waitMs: ANSWER_MS,
        });
        return 'text' in answer ? { answer: answer.text } : { refused: 'conflict', message: `${answer.why}. Send it as a message instead.` };
      } finally {
        asking.delete(session.id);
      }
    },
  };
}

const promptOf = (question: string): string =>
  `${question}\n\n(A question beside your work. Answer it from what you already know of this conversation. You have no tools here, and nothing you say here continues the work.)`;
