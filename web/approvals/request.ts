import { toolGist, toolKind } from '../../src/domain/transcript/tool-kind.ts';

/** What the card needs, whether it comes from a transcript or from the list of everything that waits. */
export interface Request {
  readonly requestId: string;
  readonly sessionId: string;
  readonly at: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly title?: string | undefined;
  readonly kind: 'tool' | 'question' | 'plan';
  readonly subagent?: string | undefined;
}

const WANTS = {
  command: 'wants to run',
  edit: 'wants to edit',
  write: 'wants to write',
  read: 'wants to read',
  search: 'wants to search',
  web: 'wants to go to the web',
  todo: 'wants to change its list',
  agent: 'wants to start an agent',
  question: 'asks',
  plan: 'has a plan',
} as const;

/** What the agent wants, in a person's terms. */
export function wantsText(request: Request): string {
  if (request.kind === 'question') return 'asks';
  if (request.kind === 'plan') return 'has a plan';
  const kind = toolKind(request.tool, request.input);
  return kind === 'other' ? `wants to use ${request.tool}` : WANTS[kind];
}

export const requestGist = (request: Request): string => toolGist(request.input);
