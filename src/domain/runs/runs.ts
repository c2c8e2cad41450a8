import type { Run } from '../../protocol/api/runs.ts';
import type { Event } from '../../protocol/event.ts';
import type { RunId } from '../../protocol/ids.ts';

/** The runs of a session, folded from its events. */
export class RunsFold {
  readonly #runs = new Map<RunId, Run>();
  #tools = new Map<string, string>();

  take(event: Event): void {
    switch (event.type) {
      case 'run.opened':
        this.#runs.set(event.run, {
          ...{ run: event.run, mode: event.mode, reason: event.reason, openedAt: event.at, openedSeq: event.seq },
          ...{ turns: 0, failedTurns: 0, denied: [] },
        });
        return;
      case 'session.started':
        return this.#change(({ model, version, tools, mcpServers }) => ({
          tools: event.tools.length > 0 ? event.tools : tools,
          mcpServers: event.mcpServers.length > 0 ? event.mcpServers : mcpServers,
          model: event.model ?? model,
          version: event.version ?? version,
        }));
      case 'turn.completed':
        return this.#change(({ turns, failedTurns }) => ({ turns: turns + 1, failedTurns: failedTurns + (event.isError ? 1 : 0) }));
      case 'permission.requested':
        this.#tools.set(event.requestId, event.tool);
        return;
      case 'permission.resolved':
        if (event.outcome === 'denied')
          this.#change(({ denied }) => ({ denied: [...denied, { seq: event.seq, tool: this.#tools.get(event.requestId) ?? '' }] }));
        this.#tools.delete(event.requestId);
        return;
      case 'session.exited':
        return this.#ended(event);
      default:
        return;
    }
  }

  /** Oldest first. */
  all(): readonly Run[] {
    return [...this.#runs.values()];
  }

  #ended({ run, at, seq, code, signal, reason }: Extract<Event, { type: 'session.exited' }>): void {
    const known = this.#runs.get(run);
    if (known === undefined) return;
    const durationMs = Math.max(0, Date.parse(at) - Date.parse(known.openedAt));
    this.#runs.set(run, {
      ...known,
      endedAt: at,
      durationMs,
      exit: { seq, reason, ...(code !== undefined && { code }), ...(signal !== undefined && { signal }) },
    });
  }

  /** What happens between the start of one process and the next belongs to the first. */
  #change(by: (run: Run) => Partial<Run>): void {
    const last = this.all().at(-1);
    if (last !== undefined) this.#runs.set(last.run, { ...last, ...by(last) });
  }
}
