import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { shownPath } from '../../../domain/changes/path.ts';
import { type Annotation, AnnotationList, ReviewAccepted, ReviewNow, ReviewPreview } from '../../../protocol/api/annotations.ts';
import { type Api, openApi, refuseInsideRun } from '../../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, UsageProblem } from '../../shared/command.ts';
import type { CliDeps } from '../../shared/deps.ts';
import { findSession } from '../../shared/find-session.ts';
import { type Paint, paintFor, printableLine } from '../../shared/paint.ts';

export const reviewCommand: CliCommand = {
  name: 'review',
  summary: 'List comments of a session, preview them as one message, send it',
  help: `
Usage: signalbox review <session> [flags]

Lists the session's comments: drafts, and what the agent did about those that were sent.
What an agent wrote itself is only sent if you name it.

  --preview      print the exact message that the drafts make
  --send         send the drafts as one message
  --again        with --preview or --send: the skipped comments instead of the drafts
  --id ID        only this comment; can be repeated
  --json         print the server's response

Exit code 4 means that the session refused the message.

Examples:
  signalbox review 3kf9
  signalbox review 3kf9 --preview
  signalbox review 3kf9 --send
  signalbox review 3kf9 --send --again
`,
  flags: {
    preview: { type: 'boolean' },
    send: { type: 'boolean' },
    again: { type: 'boolean' },
    id: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  },
  run: async (deps, given, [id, ...more]) => {
    if (id === undefined || more.length > 0) throw new UsageProblem('name one session; "signalbox ls" lists sessions');
    if (given.preview === true && given.send === true) throw new UsageProblem('use one of --preview and --send');
    if (given.again === true && given.preview !== true && given.send !== true) throw new UsageProblem('--again needs --preview or --send');
    if (given.send === true) refuseInsideRun(deps, 'send reviews');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const session = await findSession(api, id);
    const { annotations } = await api.ask(AnnotationList, `/api/sessions/${encodeURIComponent(session.id)}/annotations`);
    if (given.preview !== true && given.send !== true) return list(deps, given, annotations, session.cwd);
    const body = { annotationIds: chosen(annotations, given), to: [{ sessionId: session.id }] };
    return given.preview === true ? preview(deps, given, api, body) : send(deps, given, api, body);
  },
};

const ORDER: readonly Annotation['state'][] = ['draft', 'sent', 'answered', 'skipped', 'settled'];

function list(deps: CliDeps, given: Given, annotations: readonly Annotation[], cwd: string): number {
  const sorted = [...annotations].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.seq - b.seq);
  if (given.json === true) deps.stdout.write(`${JSON.stringify({ annotations: sorted })}\n`);
  else for (const one of sorted) deps.stdout.write(lineOf(one, cwd, paintFor(deps, deps.stdout)));
  if (annotations.length === 0) deps.stderr.write('No comments.\n');
  return EXIT.ok;
}

function lineOf({ annotationId, state, kind, text, target, place, orphaned, by, answered, sent }: Annotation, cwd: string, paint: Paint): string {
  const where =
    target.type === 'code' ? `${shownPath(cwd, target.file)}:${place?.from ?? target.lineStart}${orphaned ? ' (lines not found)' : ''}` : target.type;
  const author = by?.kind === 'agent' ? ` by ${by.name}` : '';
  const said = answered?.text === undefined ? '' : `  → ${answered.text}`;
  const facts = [state, sent?.label, answered?.how, kind].filter((part) => part !== undefined).join(' ');
  return `${paint.dim(annotationId)}  ${printableLine(`${facts}${author}  ${where}  ${text}`)}${printableLine(said)}\n`;
}

function chosen(annotations: readonly Annotation[], given: Given): readonly string[] {
  const ids = Array.isArray(given.id) ? given.id.map(String) : [];
  if (ids.length > 0) return ids;
  const state = given.again === true ? 'skipped' : 'draft';
  const found = annotations.filter((one) => one.state === state && one.by?.kind !== 'agent').map(({ annotationId }) => annotationId);
  if (found.length === 0)
    throw new CliProblem(
      given.again === true ? 'No comment was skipped.' : 'There are no drafts to send. Comments are made on the page, or with POST /api/annotations.',
    );
  return found;
}

interface Body {
  readonly annotationIds: readonly string[];
  readonly to: readonly { readonly sessionId: string }[];
}

async function preview(deps: CliDeps, given: Given, api: Api, body: Body): Promise<number> {
  const answer = await api.ask(ReviewPreview, '/api/reviews/preview', { method: 'POST', body });
  // The exact text, for a program; a terminal must not obey what is in it.
  if (given.json === true) deps.stdout.write(`${JSON.stringify(answer)}\n`);
  else for (const { text } of answer.messages) deps.stdout.write(`${text.split('\n').map(printableLine).join('\n')}\n`);
  return EXIT.ok;
}

const LOOK_MS = 200;
const LOOKS = 150;

async function send(deps: CliDeps, given: Given, api: Api, body: Body): Promise<number> {
  const { reviewId } = await api.ask(ReviewAccepted, '/api/reviews', { method: 'POST', body: { ...body, commandId: `cli:${randomUUID()}` } });
  let review = await api.ask(ReviewNow, `/api/reviews/${reviewId}`);
  for (let look = 0; look < LOOKS && review.to.some(({ state }) => state === 'sending'); look += 1) {
    await setTimeout(LOOK_MS);
    review = await api.ask(ReviewNow, `/api/reviews/${reviewId}`);
  }
  const refused = review.to.filter(({ state }) => state === 'refused');
  if (given.json === true) deps.stdout.write(`${JSON.stringify(review)}\n`);
  else if (refused.length === 0) deps.stdout.write(`Sent ${body.annotationIds.length} comments as review ${reviewId}.\n`);
  for (const { message = 'It refused the message.' } of refused) deps.stderr.write(`Not sent: ${printableLine(message)}\n`);
  return refused.length === 0 ? EXIT.ok : EXIT.refused;
}
