import { lineText } from '../../../src/domain/queue/line-text.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { countText, momentText } from '../../base/text/format.ts';

/** The second line of a row: what the session waits for, or its last line, with paths relative to its folder. */
export function sessionLine(session: Session): string {
  if (session.placeInLine !== undefined && session.lineLimit !== undefined) return lineText(session.placeInLine, session.lineLimit);
  if (session.queuePaused) return `Queue paused, ${countText(waitingIn(session), 'message')} waiting`;
  if (session.continuesAt !== undefined) return `Resumes automatically at ${momentText(session.continuesAt)}`;
  if (session.limit?.status === 'rejected')
    return `Limit reached${session.limit.resetsAt === undefined ? '' : `, resets at ${momentText(session.limit.resetsAt)}`}`;
  return session.lastLine === undefined ? session.cwd : withoutFolder(session.lastLine, session.cwd);
}

const waitingIn = ({ queue }: Session): number => queue.filter(({ state }) => state === 'accepted').length;

/** A command is shown exactly as it runs: without the folder it would be a different one. */
const COMMAND = /^(wants to run|Runs|Running)\b/;

/** Shortens only where a path starts, and never to nothing or to a path that starts at the root. */
function withoutFolder(line: string, cwd: string): string {
  if (cwd === '/' || COMMAND.test(line)) return line;
  const isPath = (start: number): boolean => /^$|\s/.test(line.charAt(start - 1)) && /[^\s/]/.test(line.charAt(start + cwd.length + 1));
  return line.replaceAll(`${cwd}/`, (found, start: number) => (isPath(start) ? '' : found));
}
