import type { Adapter, SendIntent } from '../agents/adapter.ts';
import { withContext } from '../domain/queue/context.ts';
import type { Effect } from '../domain/session/draft.ts';
import type { SessionState } from '../domain/session/state.ts';
import type { Journal, OutboxRow } from '../journal/journal.ts';
import type { EventBody } from '../protocol/event.ts';
import { wholeMessage } from './blobs.ts';
import type { RunBox } from './run-box.ts';

/** Turns what a decision wants to say to the agent into exact bytes at exact offsets. */
export class OutboxWriter {
  readonly rows: OutboxRow[] = [];

  constructor(
    private readonly box: RunBox,
    private offset: number,
  ) {}

  get end(): number {
    return this.offset;
  }

  lines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    this.rows.push({ run: this.box.ref.run, offset: this.offset, bytes });
    this.offset += bytes.length;
  }

  intent(intent: SendIntent): void {
    this.lines(this.box.adapter.encode(intent, this.box.fold));
  }
}

/** What an effect says to the agent, if anything. `before` is the state the decision was made in. */
export function intentOf(
  effect: Effect,
  before: SessionState,
  after: SessionState,
  events: readonly EventBody[],
  blobs: Pick<Journal, 'putBlob' | 'blob'>,
): SendIntent | undefined {
  switch (effect.type) {
    case 'send-input': {
      const input = after.queue.find((waiting) => waiting.commandId === effect.commandId);
      if (input === undefined) return undefined;
      const whole = wholeMessage(blobs, input);
      return { kind: 'input', commandId: input.commandId, steer: input.mode === 'steer', text: withContext(whole.text, input.context), images: whole.images };
    }
    case 'send-interrupt':
      return { kind: 'interrupt', requestId: effect.commandId };
    case 'end':
      return effect.midTurn ? { kind: 'interrupt', requestId: `end-${effect.run}` } : undefined;
    case 'send-answer':
      return answerIntent(effect.requestId, before, events);
    case 'launch':
    case 'forget':
      return undefined;
  }
}

function answerIntent(requestId: string, before: SessionState, events: readonly EventBody[]): SendIntent | undefined {
  const open = before.permissions.find((request) => request.requestId === requestId);
  const resolved = events.find((event) => event.type === 'permission.resolved' && event.requestId === requestId);
  if (open === undefined || resolved?.type !== 'permission.resolved') return undefined;
  const { agentRequestId, input } = open.asked;
  if (resolved.behavior === 'allow') {
    return {
      kind: 'answer',
      agentRequestId,
      input,
      verdict: { behavior: 'allow', ...(resolved.updatedInput !== undefined && { updatedInput: resolved.updatedInput }) },
    };
  }
  return {
    kind: 'answer',
    agentRequestId,
    input,
    verdict: { behavior: 'deny', message: resolved.message ?? 'A person said no.', interrupt: resolved.interrupt ?? false },
  };
}

export const greeting = (adapter: Adapter, state: SessionState, mode: 'new' | 'resume' | 'fork'): readonly string[] => {
  if (state.born === null || state.agentSessionId === null) return [];
  return adapter.greet({ cwd: state.born.cwd, options: state.born.options, mode, agentSessionId: state.agentSessionId });
};
