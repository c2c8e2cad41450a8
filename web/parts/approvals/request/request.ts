import type { Subject } from '../../../../src/protocol/subject.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a card needs, whether it comes from a transcript or from the list of pending requests. */
export interface Request {
  readonly requestId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly at: string;
  readonly tool: string;
  readonly input: Input;
  readonly title?: string | undefined;
  readonly kind: 'tool' | 'question' | 'plan';
  readonly toolUseId?: string | undefined;
  readonly subagent?: string | undefined;
  readonly subagentTitle?: string | undefined;
  readonly subject?: Subject | undefined;
  readonly suggestions?: readonly Input[] | undefined;
}
