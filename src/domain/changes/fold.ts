import type { BlobRef, Event, EventOf } from '../../protocol/event.ts';
import { type CallChange, changeOfCall } from './call-change.ts';
import { absolutePath } from './path.ts';
import type { Edit } from './review.ts';

/** The full text of a patch that is too long for its event; undefined if it is too long to be read at all. */
export type ReadFullPatch = (blob: BlobRef) => string | undefined;

/** Every edit that a session's tools reported, by file: a fold over its events. */
export class ChangedFiles {
  /** The last event that was folded. */
  seq = 0;
  readonly #files = new Map<string, readonly Edit[]>();
  readonly #calls = new Map<string, EventOf<'tool.started'>>();
  readonly #rewinds = new Map<string, number>();
  #turn: { readonly id: string; readonly seq: number } | undefined;

  constructor(
    private readonly cwd: string,
    private readonly whole: ReadFullPatch,
  ) {}

  add(event: Event): void {
    this.seq = event.seq;
    // Inherited events belong to the session in which they happened.
    if (event.inherited) return;
    switch (event.type) {
      case 'turn.started':
        this.#turn = { id: event.turnId, seq: event.seq };
        return;
      case 'tool.started':
        this.#calls.set(event.toolUseId, event);
        return;
      case 'tool.completed':
        return this.#completed(event);
      case 'rewind.requested':
        this.#rewinds.set(event.commandId, event.messageSeq);
        return;
      case 'files.rewound':
        return this.#rewound(event);
      default:
        return;
    }
  }

  /** The files in the order in which they were first changed. */
  files(): ReadonlyMap<string, readonly Edit[]> {
    return this.#files;
  }

  #completed(event: EventOf<'tool.completed'>): void {
    const call = this.#calls.get(event.toolUseId);
    this.#calls.delete(event.toolUseId);
    const changed = changeOfCall(call, event);
    if (changed === undefined) return;
    const path = absolutePath(this.cwd, changed.change.path);
    this.#files.set(path, [...(this.#files.get(path) ?? []), this.#editOf(event, changed, call)]);
  }

  #editOf(event: EventOf<'tool.completed'>, { change, blob }: CallChange, call: EventOf<'tool.started'> | undefined): Edit {
    const whole = blob === undefined ? change.patch : this.whole(blob);
    const turnId = event.turnId ?? call?.turnId ?? this.#turn?.id;
    return {
      seq: event.seq,
      at: event.at,
      toolUseId: event.toolUseId,
      change: whole === undefined ? change : { ...change, patch: whole },
      ...(call !== undefined && { tool: call.name }),
      ...(turnId !== undefined && { turnId }),
      ...(turnId !== undefined && turnId === this.#turn?.id && { turnSeq: this.#turn.seq }),
      ...(whole === undefined && { isCut: true }),
    };
  }

  /** Files that were restored to a message lose the edits made after it. */
  #rewound({ commandId, dryRun, canRewind, files }: EventOf<'files.rewound'>): void {
    const at = this.#rewinds.get(commandId);
    if (dryRun || !canRewind || at === undefined) return;
    for (const file of files) {
      const path = absolutePath(this.cwd, file);
      const kept = (this.#files.get(path) ?? []).filter(({ seq }) => seq < at);
      if (kept.length > 0) this.#files.set(path, kept);
      else this.#files.delete(path);
    }
  }
}
