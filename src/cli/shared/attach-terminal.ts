import { randomUUID } from 'node:crypto';
import { createInterface, type Interface } from 'node:readline';
import type * as z from 'zod/mini';
import type { AnswerBody } from '../../protocol/command.ts';
import { CommandAnswer, InputAnswer, PermissionList, type WaitingPermission } from '../../protocol/http.ts';
import { type Question, Questions } from '../../protocol/question.ts';
import type { Session } from '../../protocol/session.ts';
import { type AnswerOptions, answerBody } from './answer-body.ts';
import { EXIT } from './command.ts';
import type { CliDeps, Terminal } from './deps.ts';
import { followEvents } from './event-feed.ts';
import { type OutputAbovePrompt, outputAbovePrompt, PROMPT } from './output-above-prompt.ts';
import { type Paint, paintFor, printable, printableLine } from './paint.ts';
import { requestText } from './request-text.ts';
import { addressOf, type ServerLink } from './server-link.ts';
import { createTranscriptPrinter } from './transcript-printer.ts';

interface AttachOptions {
  readonly deps: CliDeps;
  readonly terminal: Terminal;
  readonly link: ServerLink;
  readonly session: Session;
  readonly after: number;
}

/** The session as this terminal knows it. */
interface Attached {
  readonly deps: CliDeps;
  readonly link: ServerLink;
  readonly paint: Paint;
  readonly reader: Interface;
  readonly screen: OutputAbovePrompt;
  session: Session;
  /** The open request that `y` answers. */
  request: WaitingPermission | undefined;
  /** Which request was open when the person began to type this line. */
  typedAt: { readonly requestId: string | undefined } | undefined;
  hasInterrupted: boolean;
  /** The newest state whose requests were shown. */
  shownSeq: number;
  detach(code: number): void;
}

const HELP = 'Type to queue a message; :now TEXT sends it into the running turn. Ctrl-C interrupts, Ctrl-D detaches.';

/** Ends when the person detaches, or the session is deleted. The agent is the server's: nothing here can end it. */
export async function attachTerminal({ deps, terminal, link, session, after }: AttachOptions): Promise<number> {
  const reader = createInterface({ input: terminal.input, output: terminal.output, terminal: true, prompt: PROMPT });
  const screen = outputAbovePrompt(reader, terminal.output);
  const paint = paintFor(deps, deps.stdout);
  // A request is shown as a card, with the keys that answer it.
  const printer = createTranscriptPrinter(screen.write, paint, { withMessages: true, withRequests: false });
  let feed: ReturnType<typeof followEvents> | undefined;
  try {
    return await new Promise<number>((detach, fail) => {
      const attached: Attached = {
        deps,
        link,
        paint,
        reader,
        screen,
        session,
        request: undefined,
        typedAt: undefined,
        hasInterrupted: false,
        shownSeq: 0,
        detach,
      };
      listen(attached, terminal);
      say(attached, `${printableLine(session.title)} (${session.agent}, ${session.id})\n${HELP}`);
      feed = followEvents({
        link,
        sessionId: session.id,
        after,
        on: {
          event: (event) => printer.event(event),
          delta: (delta) => printer.delta(delta),
          session: (now) => void showSession(attached, now).catch(fail),
          gone: () => {
            say(attached, 'The session was deleted.');
            detach(EXIT.failed);
          },
        },
      });
      feed.failed.catch(fail);
    });
  } finally {
    feed?.close();
    screen.end();
    reader.close();
    terminal.input.pause();
    deps.stderr.write(`Detached. To come back: signalbox attach ${session.id}\n`);
  }
}

const say = ({ screen, paint }: Attached, text: string): void => screen.write(`${paint.dim(text)}\n`);

function listen(attached: Attached, { input }: Terminal): void {
  const { reader } = attached;
  reader.on('line', (line) => {
    const { typedAt } = attached;
    attached.typedAt = undefined;
    attached.hasInterrupted = false;
    void take(attached, line, typedAt).catch((error: unknown) => say(attached, printable(error instanceof Error ? error.message : String(error))));
  });
  reader.on('SIGINT', () => interrupt(attached));
  // Ctrl-D on an empty line.
  reader.on('close', () => attached.detach(EXIT.ok));
  input.on('keypress', () => {
    attached.typedAt = reader.line === '' ? undefined : (attached.typedAt ?? { requestId: attached.request?.requestId });
  });
}

function interrupt(attached: Attached): void {
  if (attached.hasInterrupted) return attached.detach(EXIT.ok);
  attached.hasInterrupted = true;
  const isWorking = ['busy', 'waiting', 'starting'].includes(attached.session.status);
  say(attached, isWorking ? 'Interrupting… Press Ctrl-C again to detach.' : 'Nothing is running. Press Ctrl-C again to detach.');
  if (!isWorking) return;
  const { link, session } = attached;
  void link
    .ask(CommandAnswer, `${addressOf(session.id)}/interrupt`, { commandId: randomUUID() })
    .catch((error: Error) => say(attached, printable(error.message)));
}

/** Shows a new request once, and takes note of one that is answered elsewhere. */
async function showSession(attached: Attached, session: Session): Promise<void> {
  attached.session = session;
  const { permissions } = session.waiting === 0 ? { permissions: [] } : await openRequests(attached);
  // A newer state may have been shown while this one asked.
  if (session.lastSeq < attached.shownSeq) return;
  attached.shownSeq = session.lastSeq;
  const [oldest] = permissions.toSorted((a, b) => a.seq - b.seq);
  if (oldest?.requestId !== attached.request?.requestId) {
    attached.request = oldest;
    if (oldest !== undefined) showRequest(attached, oldest);
  }
  attached.screen.setPrompt(promptFor(attached));
}

const openRequests = ({ link, session }: Attached): Promise<z.infer<typeof PermissionList>> =>
  link.ask(PermissionList, `/api/permissions?session=${encodeURIComponent(session.id)}`);

function showRequest({ screen, paint }: Attached, request: WaitingPermission): void {
  const { wants, details } = requestText(request);
  const [question] = questionsIn(request);
  const shown = question === undefined ? details : numbered(question);
  screen.write(`${paint.yellow(`${printableLine(request.agent)} ${wants}`)}\n${printable(shown).replace(/^/gm, '  ')}\n`);
}

/** The question that a number answers. Several questions take `signalbox answer`, with one choice for each. */
function questionsIn({ kind, input }: WaitingPermission): readonly Question[] {
  const parsed = kind === 'question' ? Questions.safeParse(input) : undefined;
  return parsed?.success === true && parsed.data.questions.length === 1 ? parsed.data.questions : [];
}

const numbered = ({ question, options }: Question): string =>
  [question, ...options.map(({ label, description }, at) => `${at + 1}. ${label}${description === undefined ? '' : `: ${description}`}`)].join('\n');

function promptFor({ request, session }: Attached): string {
  if (request === undefined) return session.queue.length > 1 ? `${session.queue.length - 1} queued, ${PROMPT}` : PROMPT;
  if (request.kind === 'question')
    return questionsIn(request).length > 0 ? 'number of your choice, n = deny > ' : `signalbox answer ${request.requestId} --choose 1=…, n = deny > `;
  return request.kind === 'plan' ? 'y = go ahead, n = deny > ' : 'y = allow, n = deny, a = always in this session, e = edit > ';
}

async function take(attached: Attached, line: string, typedAt: Attached['typedAt']): Promise<void> {
  const text = line.trim();
  if (text === '') return;
  if (text === ':help') return say(attached, HELP);
  if (text === ':now' || text.startsWith(':now ')) return send(attached, text.slice(':now'.length).trim(), 'steer');
  const answer = attached.request === undefined ? undefined : answerIn(attached.request, text);
  if (attached.request === undefined || answer === undefined) return send(attached, line, 'queue');
  if (typedAt?.requestId !== attached.request.requestId)
    return say(attached, 'This request appeared while you were typing, so nothing was answered or sent. Type it again.');
  await decide(attached, attached.request, answer);
}

async function send({ link, session }: Attached, text: string, mode: 'queue' | 'steer'): Promise<void> {
  await link.ask(InputAnswer, `${addressOf(session.id)}/input`, { text, commandId: randomUUID(), ...(mode === 'steer' && { mode }) });
}

const PLAIN: AnswerOptions = {
  behavior: 'allow',
  choices: [],
  message: undefined,
  interrupt: false,
  file: undefined,
  editor: undefined,
  remember: undefined,
  mode: undefined,
};

/** What a line means while a request is open; undefined: it is a message. */
function answerIn(request: WaitingPermission, text: string): AnswerOptions | 'edit' | undefined {
  if (text === 'n') return { ...PLAIN, behavior: 'deny' };
  if (request.kind === 'question') return choiceIn(request, text);
  if (text === 'y') return PLAIN;
  if (request.kind === 'plan') return undefined;
  if (text === 'a') return { ...PLAIN, remember: { scope: 'session' } };
  return text === 'e' ? 'edit' : undefined;
}

function choiceIn(request: WaitingPermission, text: string): AnswerOptions | undefined {
  const [question] = questionsIn(request);
  const option = /^[1-9]\d?$/.test(text) ? question?.options[Number(text) - 1] : undefined;
  return option === undefined ? undefined : { ...PLAIN, choices: [`1=${option.label}`] };
}

async function decide(attached: Attached, request: WaitingPermission, answer: AnswerOptions | 'edit'): Promise<void> {
  const body = answer === 'edit' ? await edited(attached, request) : await answerBody(answer, request);
  if (body === undefined) return say(attached, 'Nothing was changed, so nothing was answered.');
  const commandId = randomUUID();
  await attached.link.ask(CommandAnswer, `/api/permissions/${encodeURIComponent(request.requestId)}`, { ...body, commandId });
}

/** The editor has the terminal to itself; what the agent prints meanwhile comes afterwards. */
async function edited({ deps, reader, screen }: Attached, request: WaitingPermission): Promise<z.infer<typeof AnswerBody> | undefined> {
  screen.hold(true);
  reader.pause();
  deps.terminal?.input.setRawMode(false);
  try {
    const body = await answerBody({ ...PLAIN, editor: deps.env.VISUAL ?? deps.env.EDITOR ?? 'vi' }, request);
    return body.updatedInput === undefined ? undefined : body;
  } finally {
    deps.terminal?.input.setRawMode(true);
    reader.resume();
    screen.hold(false);
  }
}
