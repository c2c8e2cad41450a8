import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, messagesOf, type SessionFileLine } from './session-file.ts';

/** The agent's own record of a conversation. Each line is written before the agent says anything. */
export interface ConversationFile {
  /** How many inputs were ever taken: after a restart, message names continue from here. */
  readonly turns: number;
  knows(inputId: string): boolean;
  /** Everything the person said, oldest first. */
  inputTexts(): readonly string[];
  took(inputId: string, text: string): void;
  /** `messages` are the names of the texts in the turn: a copy can start after each. */
  answered(inputId: string, result: string, messages: readonly string[]): void;
}

interface Past {
  readonly mustExist: boolean;
  readonly copyOf: string | undefined;
  /** The message to continue after; everything later is dropped. */
  readonly after: string | undefined;
}

export function openConversation(folder: string, session: string, past: Past): ConversationFile | { readonly missing: string } {
  const file = join(folder, `${session}.jsonl`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const original = join(folder, `${past.copyOf ?? session}.jsonl`);
  if ((past.copyOf !== undefined || past.mustExist) && !existsSync(original)) return { missing: past.copyOf ?? session };
  const isFreshCopy = past.copyOf !== undefined && !existsSync(file);
  if (isFreshCopy || (past.copyOf === undefined && past.after !== undefined)) {
    const kept = upTo(linesOf(readFileSync(original, 'utf8')), past.after);
    if (kept === undefined) return { missing: `${past.copyOf ?? session}, message ${past.after}` };
    writeFileSync(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  }
  const add = (line: object) => appendFileSync(file, `${JSON.stringify({ ...line, at: new Date().toISOString() })}\n`, { mode: 0o600 });
  if (!existsSync(file)) add({ type: 'session', id: session, cwd: process.cwd() });
  return conversationFrom(linesOf(readFileSync(file, 'utf8')), add);
}

/** Lines up to an input, or to the end of the turn with this message; undefined when the message is unknown. */
function upTo(lines: readonly SessionFileLine[], after: string | undefined): readonly SessionFileLine[] | undefined {
  if (after === undefined) return lines;
  const last = lines.findLastIndex((line) => (line.type === 'user' && line.id === after) || messagesOf(line).includes(after));
  return last < 0 ? undefined : lines.slice(0, last + 1);
}

function conversationFrom(lines: readonly SessionFileLine[], add: (line: object) => void): ConversationFile {
  const inputs = lines.flatMap((line) => (line.type === 'user' ? [{ id: String(line.id), text: String(line.text) }] : []));
  return {
    get turns() {
      return inputs.length;
    },
    knows: (inputId) => inputs.some((input) => input.id === inputId),
    inputTexts: () => inputs.map((input) => input.text),
    took(id, text) {
      inputs.push({ id, text });
      add({ type: 'user', id, text });
    },
    answered: (id, text, messages) => add({ type: 'answered', id, text, messages }),
  };
}
