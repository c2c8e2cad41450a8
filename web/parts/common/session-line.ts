import type { Session } from '../../../src/protocol/session.ts';
import { momentText } from '../../base/words/words.ts';

/** The second line of a row: what a session waits for, or the last that was said in it; files of its own folder without that folder. */
export function lineOf(session: Session): string {
  // A cause that is no event says what the session waits for, such as a free place.
  if (session.status === 'starting' && !session.statusCause.cause.includes('.')) return session.statusCause.cause;
  if (session.continuesAt !== undefined) return `goes on by itself at ${momentText(session.continuesAt)}`;
  if (session.limit?.status === 'rejected')
    return `limit reached${session.limit.resetsAt === undefined ? '' : `, until ${momentText(session.limit.resetsAt)}`}`;
  return session.lastLine === undefined ? session.cwd : withoutFolder(session.lastLine, session.cwd);
}

/** A command stands as it will run: without the folder it would be another one. */
const COMMAND = /^(wants to run|Runs)\b/;

/** Only where a path begins, and never so that nothing is left of it or that the rest begins at the root. */
function withoutFolder(line: string, cwd: string): string {
  if (cwd === '/' || COMMAND.test(line)) return line;
  const isPath = (start: number): boolean => /^$|\s/.test(line.charAt(start - 1)) && /[^\s/]/.test(line.charAt(start + cwd.length + 1));
  return line.replaceAll(`${cwd}/`, (found, start: number) => (isPath(start) ? '' : found));
}
