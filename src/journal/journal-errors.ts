import { SQLITE, sqliteCode, Unreadable } from './sqlite-driver.ts';

/** Written by a newer Signalbox: this one must not touch it. */
export class JournalTooNew extends Error {
  override readonly name = 'JournalTooNew';
  constructor(
    readonly path: string,
    readonly found: number,
    readonly supported: number,
  ) {
    super(
      `${path} was written by a newer Signalbox (schema ${found}; this version supports up to ${supported}). ` +
        'Nothing was changed. Start the newer version, or choose another data folder with --data.',
    );
  }
}

export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
  constructor(
    readonly path: string,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(
      `${path} is damaged (${detail}). Nothing was changed. Stop the server and run "signalbox doctor --rebuild": ` +
        'it restores everything from the session files and keeps a copy of the damaged file.',
      options,
    );
  }
}

/** There is no space, or no permission, to write; the append was not stored. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable';
  constructor(
    readonly path: string,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`${path} could not be written (${detail}). Free some disk space or check the permissions of the folder, then try again.`, options);
  }
}

/** Runs `work` and turns disk errors into journal errors; everything else passes unchanged. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asJournalError(path, error);
  }
}

export function asJournalError(path: string, error: unknown): unknown {
  const detail = error instanceof Error ? error.message : String(error);
  switch (sqliteCode(error)) {
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return new JournalDamaged(path, detail, { cause: error });
    case SQLITE.readOnly:
    case SQLITE.ioError:
    case SQLITE.full:
    case SQLITE.cannotOpen:
      return new JournalUnwritable(path, detail, { cause: error });
    default:
      return error instanceof Unreadable ? new JournalDamaged(path, detail, { cause: error }) : error;
  }
}
