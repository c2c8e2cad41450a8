import type { Adapter, SendIntent, Verdict } from '../../agents/port/adapter.ts';
import { withContext, withHandover } from '../../domain/queue/context.ts';
import type { RunOpening } from '../../domain/session/advance.ts';
import type { Effect } from '../../domain/session/draft.ts';
import { optionsNow } from '../../domain/session/settings.ts';
import type { SessionState } from '../../domain/session/state.ts';
import type { Journal, OutboxRow } from '../../journal/journal.ts';
import type { EventBody, EventBodyOf } from '../../protocol/event.ts';
import { openingFor } from './launch.ts';
import type { RunReader } from './run-reader.ts';
import { fullMessage } from './store-blobs.ts';

/** Turns what a decision sends to the agent into exact bytes at exact offsets. */
export class OutboxWriter {
  readonly rows: OutboxRow[] = [];

  constructor(
    private readonly run: RunReader,
    private offset: number,
  ) {}

  get end(): number {
    return this.offset;
  }

  lines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    this.rows.push({ run: this.run.ref.run, offset: this.offset, bytes });
    this.offset += bytes.length;
  }

  intent(intent: SendIntent): void {
    this.lines(this.run.adapter.encode(intent, this.run.fold));
  }
}

/** What an effect sends to the agent, if anything. `before` is the state the decision was based on. */
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
      const whole = fullMessage(blobs, input);
      const isFirst = after.queue.filter((other) => other.stage.at !== 'accepted').length === 1;
      const text = withHandover(withContext(whole.text, input.context), isFirst ? after.handover : null);
      return { kind: 'input', commandId: input.commandId, steer: input.mode === 'steer', text, images: whole.images };
    }
    case 'send-interrupt':
      return { kind: 'interrupt', requestId: effect.commandId };
    case 'send-setting':
      return { kind: 'set', commandId: effect.commandId, setting: effect.setting, value: effect.value };
    case 'send-rewind':
      return { kind: 'rewind', commandId: effect.commandId, messageId: effect.messageId, dryRun: effect.dryRun };
    case 'end':
      return effect.midTurn ? { kind: 'interrupt', requestId: `end-${effect.run}` } : undefined;
    case 'send-answer':
      return answerIntent(effect.requestId, before, events);
    case 'send-tool-answer':
      return toolAnswer(effect.askId, before, events);
    case 'launch':
    case 'take-over':
    case 'start-script':
    case 'worktree':
    case 'forget':
      return undefined;
  }
}

/** A call can be answered in the same decision that stores it. */
function toolAnswer(askId: string, before: SessionState, events: readonly EventBody[]): SendIntent | undefined {
  const fresh = events.find((event) => event.type === 'tool.asked' && event.askId === askId);
  const agentRequestId = before.asks.find((ask) => ask.askId === askId)?.agentRequestId ?? (fresh?.type === 'tool.asked' ? fresh.agentRequestId : undefined);
  const answered = events.find((event) => event.type === 'tool.answered' && event.askId === askId);
  if (agentRequestId === undefined || answered?.type !== 'tool.answered') return undefined;
  return { kind: 'tool-answer', agentRequestId, text: answered.text, isError: answered.outcome !== 'answered' };
}

function answerIntent(requestId: string, before: SessionState, events: readonly EventBody[]): SendIntent | undefined {
  const asked = askedIn(requestId, before, events);
  const resolved = events.find((event) => event.type === 'permission.resolved' && event.requestId === requestId);
  if (asked === undefined || resolved?.type !== 'permission.resolved') return undefined;
  const { agentRequestId, input } = asked;
  return { kind: 'answer', agentRequestId, input, verdict: verdictOf(resolved) };
}

/** A rule answers in the same decision that stores the request, so the request may only be in its events. */
function askedIn(requestId: string, before: SessionState, events: readonly EventBody[]) {
  const known = before.permissions.find((request) => request.requestId === requestId)?.asked;
  if (known !== undefined) return known;
  const fresh = events.find((event) => event.type === 'permission.requested' && event.requestId === requestId);
  return fresh?.type === 'permission.requested' ? fresh : undefined;
}

export function verdictOf(resolved: EventBodyOf<'permission.resolved'>): Verdict {
  if (resolved.behavior !== 'allow') return { behavior: 'deny', message: resolved.message ?? 'The user denied this.', interrupt: resolved.interrupt ?? false };
  const { updatedInput, answers, mode, granted, remember } = resolved;
  return {
    behavior: 'allow',
    ...(updatedInput !== undefined && { updatedInput }),
    ...(answers !== undefined && { answers }),
    ...(mode !== undefined && { mode }),
    ...(granted !== undefined && { granted: { suggestions: granted, forSession: remember?.scope === 'session' } }),
  };
}

export const greeting = (adapter: Adapter, state: SessionState, opening: RunOpening, toolServer: string | undefined): readonly string[] =>
  state.born === null
    ? []
    : adapter.handshake({ cwd: state.born.cwd, options: optionsNow(state), ...openingFor(opening), ...(toolServer !== undefined && { toolServer }) });
