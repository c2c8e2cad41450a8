import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, messagesOf, type Remembered } from '../memory.ts';

/** What the agent remembers of a conversation, in a file of its own. Each line is on its way to the disk before the agent speaks. */
export interface Recollection {
  /** How many inputs were ever taken: names of messages go on from here after a restart. */
  readonly turns: number;
  knows(inputId: string): boolean;
  /** Everything the person said, oldest first. */
  said(): readonly string[];
  took(inputId: string, text: string): void;
  /** `messages` are the names of what was said in the turn: a copy can begin after each. */
  answered(inputId: string, result: string, messages: readonly string[]): void;
}

interface Past {
  readonly mustExist: boolean;
  readonly copyOf: string | undefined;
  /** The message of ours after which to go on; what came later is forgotten. */
  readonly after: string | undefined;
}

export function openRecollection(folder: string, session: string, past: Past): Recollection | { readonly missing: string } {
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
  return recollect(linesOf(readFileSync(file, 'utf8')), add);
}

/** Up to an input, or to the end of the turn in which a message was said; nothing when it is not remembered. */
function upTo(lines: readonly Remembered[], after: string | undefined): readonly Remembered[] | undefined {
  if (after === undefined) return lines;
  const last = lines.findLastIndex((line) => (line.type === 'user' && line.id === after) || messagesOf(line).includes(after));
  return last < 0 ? undefined : lines.slice(0, last + 1);
}

function recollect(lines: readonly Remembered[], add: (line: object) => void): Recollection {
  const inputs = lines.flatMap((line) => (line.type === 'user' ? [{ id: String(line.id), text: String(line.text) }] : []));
  return {
    get turns() {
      return inputs.length;
    },
    knows: (inputId) => inputs.some((input) => input.id === inputId),
    said: () => inputs.map((input) => input.text),
    took(id, text) {
      inputs.push({ id, text });
      add({ type: 'user', id, text });
    },
    answered: (id, text, messages) => add({ type: 'answered', id, text, messages }),
  };
}
