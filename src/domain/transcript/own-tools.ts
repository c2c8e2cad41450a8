import type { EventOf } from '../../protocol/event.ts';
import type { SessionState } from '../session/state.ts';
import { plain } from './masked-line.ts';

type Input = Readonly<Record<string, unknown>>;

const TITLES: Readonly<Record<string, string>> = {
  find_sessions: 'Searching sessions',
  read_session: 'Reading a session',
  start_session: 'Starting a session',
  send_to_session: 'Writing to a session',
  ask_person: 'Asking you',
  report: 'Reporting',
  annotate: 'Commenting',
  answer_annotation: 'Answering a comment',
};

export const toolTitle = (tool: string): string => TITLES[tool] ?? `The tool ${tool}`;

/** The tool of ours that an agent calls by this name: agents add the name of the server in their own ways. */
export function ownToolIn(name: string): string | undefined {
  const bare = name.replace(/^(?:mcp__)?signalbox(?:-\d+)?_{1,2}/, '');
  return Object.hasOwn(TITLES, bare) ? bare : undefined;
}

const WORDS: Readonly<Record<string, (input: Input) => string>> = {
  find_sessions: ({ query }) => (typeof query === 'string' ? `Searched sessions for “${query}”` : 'Looked at the latest sessions'),
  read_session: ({ sessionId }) => `Read the session ${sessionId}`,
  start_session: ({ title, prompt }) => `Started a session: ${title ?? prompt}`,
  send_to_session: ({ sessionId, text }) => `Wrote to the session ${sessionId}: ${text}`,
  ask_person: ({ question }) => `Asked: ${question}`,
  annotate: ({ file, line, text }) => `Commented on ${file}:${line}: ${text}`,
  answer_annotation: ({ label, text }) => `Answered ${label}: ${text}`,
  report: ({ state, summary, artifact }) => [state === 'done' ? 'Done' : 'Progress', summary, artifact].filter((part) => typeof part === 'string').join(' · '),
};

/** The one argument that shows what a call of ours is about. */
export function toolSubject(tool: string, input: Input): string {
  const { question, query, title, prompt, text, summary, sessionId } = input;
  const subject =
    {
      ask_person: question,
      find_sessions: query,
      start_session: title ?? prompt,
      send_to_session: text,
      annotate: text,
      answer_annotation: text,
      report: summary,
    }[tool] ?? sessionId;
  return typeof subject === 'string' ? oneLine(subject) : '';
}

/** A call of ours in one line. */
export const toolCallText = (tool: string, input: Input): string => oneLine(WORDS[tool]?.(input) ?? toolTitle(tool));

const LINE_CHARS = 200;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS - 1)}…` : line;
}

/** For the audit; it follows the name of the agent, or of the person who answered. */
export function answeredText(state: SessionState, { askId, tool, outcome, text, actor }: EventOf<'tool.answered'>): string | undefined {
  if (actor?.kind === 'person') return undefined; // The answer to the question says it.
  const ask = state.asks.find((open) => open.askId === askId);
  const call = plain(ask === undefined ? tool : toolCallText(tool, ask.input));
  if (outcome === 'answered') return `used ${tool}: ${call}`;
  return outcome === 'refused' ? `was refused ${tool}: ${plain(oneLine(text))}` : undefined;
}
