import type { EventBodyOf } from '../../protocol/event.ts';
import type { Subject } from '../../protocol/subject.ts';
import type { OpenPermission, SessionState } from '../session/state.ts';
import { plain } from './masked-line.ts';

/** How a request ended: "allowed Bash `npm test` in app", "denied Write /x: not now". */
export function resolvedText(state: SessionState, event: EventBodyOf<'permission.resolved'>): string {
  const asked = state.permissions.find((open) => open.requestId === event.requestId)?.asked;
  const what = asked === undefined ? 'a request' : requestText(asked);
  const why = event.message === undefined || event.message === '' ? '' : `: ${plain(event.message)}`;
  const folder = state.born?.cwd.split('/').findLast((part) => part !== '');
  const where = folder === undefined ? '' : ` in ${plain(folder)}`;
  switch (event.outcome) {
    case 'allowed':
      return `allowed ${what}${where}${extrasOf(event, asked)}${why}`;
    case 'denied':
      return `denied ${what}${where}${event.interrupt === true ? ' and interrupted the agent' : ''}${why}`;
    case 'cancelled':
    case 'lapsed':
      return `ended the request for ${what}${where} without an answer (${event.outcome})${why}`;
  }
}

function requestText({ kind, tool, subject }: OpenPermission['asked']): string {
  if (kind === 'question') return 'a question';
  if (kind === 'plan') return 'a plan';
  const about = subject === undefined ? undefined : subjectText(subject);
  return about === undefined ? plain(tool) : `${plain(tool)} ${about}`;
}

function subjectText(subject: Subject): string | undefined {
  switch (subject.kind) {
    case 'command':
      return `\`${plain(subject.command)}\``;
    case 'read':
    case 'edit':
      return plain(subject.paths.join(', '));
    case 'web':
      return plain(subject.url ?? subject.query ?? '');
    case 'mcp':
      return `(${plain(subject.tool)} of ${plain(subject.server)})`;
    case 'other':
      return undefined;
  }
}

function extrasOf(event: EventBodyOf<'permission.resolved'>, asked: OpenPermission['asked'] | undefined): string {
  const { updatedInput, answers, mode, remember, granted } = event;
  const parts = [
    updatedInput === undefined ? '' : changedText(updatedInput, asked?.input ?? {}),
    answers === undefined ? '' : `, with ${Object.keys(answers).length} answered`,
    mode === undefined ? '' : `, continuing in mode ${mode}`,
    remember === undefined ? '' : `, to be remembered (${remember.scope})`,
    granted === undefined ? '' : `, granting ${granted.length} of the agent's own suggestions`,
  ];
  return parts.join('');
}

/** Which fields a person changed before allowing. Short values are shown, so the audit says what ran. */
function changedText(updated: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>): string {
  const fields = Object.keys(updated).filter((field) => JSON.stringify(updated[field]) !== JSON.stringify(before[field]));
  const gone = Object.keys(before).filter((field) => !(field in updated));
  if (fields.length + gone.length === 0) return '';
  const shown = [...fields.map((field) => `${plain(field)} = ${valueText(updated[field])}`), ...gone.map((field) => `without ${plain(field)}`)];
  return `, with the input changed: ${shown.slice(0, 5).join('; ')}`;
}

const SHORT_CHARS = 200;

function valueText(value: unknown): string {
  if (typeof value === 'string') return value.length > SHORT_CHARS ? `(${value.length} characters)` : `\`${plain(value)}\``;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '(changed)';
}
