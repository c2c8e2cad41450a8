import type { SearchStatements } from './search-sql.ts';

type NameStatements = Pick<SearchStatements, 'name' | 'putName' | 'lastName'>;
type NameKind = 'agent' | 'project' | 'tool' | 'path';

/** Numbers for names, within one transaction: a rollback discards its numbers. */
export class Names {
  readonly #sql: NameStatements;
  readonly #known = { agent: new Map<string, number>(), project: new Map<string, number>(), tool: new Map<string, number>(), path: new Map<string, number>() };

  #last: number | undefined;

  constructor(sql: NameStatements) {
    this.#sql = sql;
  }

  /** 0 if there is no name. */
  numberOf(kind: NameKind, name: string | undefined): number {
    if (name === undefined) return 0;
    const known = this.#known[kind].get(name);
    if (known !== undefined) return known;
    const number = Number(this.#sql.name.get(kind, name)?.number ?? this.#add(kind, name));
    this.#known[kind].set(name, number);
    return number;
  }

  /** Numbered here: a statement with RETURNING makes FTS5 flush everything it has buffered. */
  #add(kind: NameKind, name: string): number {
    this.#last ??= Number(this.#sql.lastName.get()?.number ?? 0);
    this.#last += 1;
    this.#sql.putName.run(this.#last, kind, name);
    return this.#last;
  }
}
