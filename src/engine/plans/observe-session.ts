import type { SeenSession, SeenTurn } from '../../domain/plan/next.ts';
import { outcomeOf } from '../../domain/script/scripts.ts';
import type { SessionState } from '../../domain/session/state.ts';
import { isFailedTurn } from '../../domain/transcript/outcomes.ts';
import { type TimeSpan, workMs } from '../../domain/work-time.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import { type CommandId, isScriptSession, type SessionId } from '../../protocol/ids.ts';

const PAGE = 1000;
/** A command's output that the steps after it get. */
const TAIL_CHARS = 4000;

/** Follows the session of an attempt through its events, from the first one on: after a restart it sees the same again. */
export class SessionObserver {
  private seq = 0;
  private readonly turns: SeenTurn[] = [];
  private readonly done = new Set<CommandId>();
  private startedAt: number | undefined;
  private waits: { from: number; to?: number; requestId: string }[] = [];
  private text = '';
  private result = '';
  private report: { readonly summary?: string; readonly artifact?: string } = {};
  private limitedUntil: string | undefined;

  constructor(private readonly id: SessionId) {}

  /** What the session shows now; `lastInput` is the last message of the plan. */
  see(journal: Journal, state: SessionState | undefined, lastInput: CommandId, now: number): SeenSession | undefined {
    if (state?.born == null) return undefined;
    this.read(journal);
    if (isScriptSession(this.id)) return this.seeScript(state);
    const { summary = this.result, artifact } = this.report;
    const stuck = stuckIn(state);
    return {
      turns: this.turns,
      isQuiet: this.done.has(lastInput) && isQuiet(state),
      summary,
      workingMs: this.startedAt === undefined ? 0 : workMs({ from: this.startedAt, to: now }, this.waits),
      isWorking: state.turn.phase === 'running' && state.permissions.length === 0,
      ...(artifact !== undefined && { artifact }),
      ...(stuck !== undefined && { stuck }),
    };
  }

  private seeScript(state: SessionState): SeenSession {
    const end = outcomeOf(state);
    if (end === undefined) return { turns: [], isQuiet: false, summary: '', workingMs: 0, isWorking: false };
    const { code, signal, durationMs, tail, message } = end;
    const how = message ?? (code === 0 ? undefined : code === null ? `It was ended by ${signal}.` : `It ended with exit code ${code}.`);
    const summary = [tail.slice(-TAIL_CHARS).trim(), how].filter((part) => part !== undefined && part !== '').join('\n');
    // The command's session has one turn; its number is that of the end that is known.
    return {
      turns: [{ seq: 1, outcome: code === 0 ? 'ok' : 'failed', usd: 0, turns: 0, ms: durationMs }],
      isQuiet: true,
      summary,
      workingMs: 0,
      isWorking: false,
    };
  }

  private read(journal: Journal): void {
    for (;;) {
      const events = journal.after(this.id, this.seq, PAGE);
      for (const event of events) this.take(event);
      if (events.length < PAGE) return;
    }
  }

  private take(event: Event): void {
    this.seq = event.seq;
    if (event.inherited === true) return;
    const at = Date.parse(event.at);
    if (event.type === 'turn.started') this.begin(at);
    if (event.type === 'assistant.text' && event.parentToolUseId === undefined) this.text = event.text;
    if (event.type === 'permission.requested') this.waits.push({ from: at, requestId: event.requestId });
    if (event.type === 'permission.resolved') this.waits = this.waits.map((wait) => (wait.requestId === event.requestId ? { to: at, ...wait } : wait));
    if (event.type === 'limit.reported') this.limitedUntil = event.status === 'rejected' ? event.resetsAt : undefined;
    if (event.type === 'tool.asked' && event.tool === 'report') this.reported(event);
    if (event.type === 'input.cancelled') this.cancelled(event);
    if (event.type === 'turn.completed') this.completed(event, at);
  }

  private begin(at: number): void {
    this.startedAt = at;
    this.text = '';
    this.report = {};
  }

  private reported({ input: { state, summary, artifact } }: EventOf<'tool.asked'>): void {
    if (state !== 'done') return;
    this.report = { ...(typeof summary === 'string' && { summary }), ...(typeof artifact === 'string' && { artifact }) };
  }

  /** A person took the plan's message out of the queue. */
  private cancelled({ commandId, seq }: EventOf<'input.cancelled'>): void {
    this.done.add(commandId);
    this.turns.push({ seq, outcome: 'interrupted', turns: 0, ms: 0 });
  }

  private completed(event: EventOf<'turn.completed'>, at: number): void {
    const { seq, commandId, costUsd, result, errors = [] } = event;
    const outcome = this.outcomeOf(event);
    const waits: readonly TimeSpan[] = this.waits;
    const ms = this.startedAt === undefined ? (event.durationMs ?? 0) : workMs({ from: this.startedAt, to: at }, waits);
    if (commandId !== undefined) this.done.add(commandId);
    if (outcome === 'ok') this.limitedUntil = undefined;
    this.result = outcome === 'ok' ? (result ?? this.text) : ([...errors, result ?? this.text].find((words) => words !== '') ?? '');
    const until = outcome === 'limited' ? this.limitedUntil : undefined;
    this.turns.push({ seq, outcome, turns: 1, ms, ...(costUsd !== undefined && { usd: costUsd }), ...(until !== undefined && { until }) });
    this.startedAt = undefined;
    this.waits = [];
  }

  private outcomeOf(event: EventOf<'turn.completed'>): SeenTurn['outcome'] {
    if (event.stopReason === 'agent_exited') return 'died';
    if (event.interrupted || event.stopReason === 'agent_stopped') return 'interrupted';
    if (!event.isError && !isFailedTurn(event)) return 'ok';
    return this.limitedUntil === undefined ? 'failed' : 'limited';
  }
}

/** Nothing runs, nothing is queued, nobody is asked. A server that the agent left running doesn't count as work. */
const isQuiet = ({ turn, queue, permissions, tasks, interrupt }: SessionState): boolean =>
  turn.phase === 'idle' && queue.length === 0 && permissions.length === 0 && interrupt === null && !tasks.some(({ kind }) => kind === 'subagent');

/** Its agent could not be started, or keeps crashing before it takes the message: it waits for somebody. */
function stuckIn({ run, status, queue, worktree }: SessionState): string | undefined {
  if (worktree?.phase === 'failed') return `The worktree could not be made: ${worktree.problem?.message ?? 'unknown reason'}.`;
  if (run.phase !== 'none' || status.status !== 'failed' || !queue.some(({ stage }) => stage.at === 'accepted')) return undefined;
  return 'The agent could not be started, or crashed before it took its task.';
}
