import { intOf, textOf } from '../../journal/sqlite-driver.ts';
import type { SearchStatements } from './search-sql.ts';

/** The tool and the file of a call, by their numbers; 0 if there is none. */
export interface Call {
  readonly tool: number;
  readonly path: number;
}

export const NO_CALL: Call = { tool: 0, path: 0 };

/** More open calls than any agent has; older ones never got a result. */
const OPEN_CALLS = 1000;

/** The calls of a session that have no result yet: a result belongs to the tool and the file of its call. */
export class Calls {
  readonly #sql: SearchStatements;
  readonly #session: number;
  readonly #open: Map<string, Call>;
  #changed = false;

  constructor(sql: SearchStatements, session: number) {
    this.#sql = sql;
    this.#session = session;
    this.#open = new Map(sql.calls.all(session).map((row) => [textOf(row, 'call'), { tool: intOf(row, 'tool'), path: intOf(row, 'path') }]));
  }

  start(id: string, call: Call): void {
    this.#open.set(id, call);
    this.#changed = true;
  }

  of(id: string): Call {
    return this.#open.get(id) ?? NO_CALL;
  }

  end(id: string): void {
    if (this.#open.delete(id)) this.#changed = true;
  }

  save(): void {
    if (!this.#changed) return;
    this.#sql.dropCalls.run(this.#session);
    for (const [id, { tool, path }] of [...this.#open].slice(-OPEN_CALLS)) this.#sql.putCall.run(this.#session, id, tool, path);
  }
}
