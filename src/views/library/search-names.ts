import type { SearchStatements } from './search-sql.ts';

type NameKind = 'agent' | 'project' | 'tool' | 'path';

/** Numbers for names, within one transaction: one that is rolled back takes its numbers with it. */
export class Names {
  readonly #sql: Pick<SearchStatements, 'name' | 'putName'>;
  readonly #known = { agent: new Map<string, number>(), project: new Map<string, number>(), tool: new Map<string, number>(), path: new Map<string, number>() };

  constructor(sql: Pick<SearchStatements, 'name' | 'putName'>) {
    this.#sql = sql;
  }

  /** 0 for what has no name. */
  numberOf(kind: NameKind, name: string | undefined): number {
    if (name === undefined) return 0;
    const known = this.#known[kind].get(name);
    if (known !== undefined) return known;
    const number = Number((this.#sql.name.get(kind, name) ?? this.#sql.putName.get(kind, name))?.number);
    this.#known[kind].set(name, number);
    return number;
  }
}
