import type { CheckpointWhen, Event, EventOf } from '../../protocol/event.ts';
import type { CheckpointId, CommandId, TurnId } from '../../protocol/ids.ts';

export interface Checkpoint {
  readonly id: CheckpointId;
  readonly seq: number;
  readonly at: string;
  readonly commit: string;
  readonly when: CheckpointWhen;
  readonly commandId: CommandId | undefined;
  readonly turnId: TurnId | undefined;
  readonly late: boolean;
  readonly shared: boolean;
  readonly changed: EventOf<'checkpoint.made'>['changed'];
  readonly changedMore: number;
  readonly left: EventOf<'checkpoint.made'>['left'];
}

/** A turn with what is needed to name it. */
export interface TurnEntry {
  readonly turnId: TurnId;
  readonly commandId: CommandId | undefined;
  readonly seq: number;
  readonly at: string;
  readonly text: string | undefined;
}

/** What a session's events say about its checkpoints. */
export interface CheckpointLog {
  readonly seq: number;
  readonly checkpoints: readonly Checkpoint[];
  readonly reverts: readonly EventOf<'revert.done'>[];
  readonly turns: readonly TurnEntry[];
  /** The events by which a message can be named. */
  readonly messages: ReadonlyMap<number, CommandId>;
  readonly texts: ReadonlyMap<CommandId, string>;
  /** Why the last one was not made. */
  readonly skipped: { readonly reason: string; readonly off: boolean } | undefined;
}

export const EMPTY_LOG: CheckpointLog = { seq: 0, checkpoints: [], reverts: [], turns: [], messages: new Map(), texts: new Map(), skipped: undefined };

const TEXT_CHARS = 120;

/** Events that happened in another session or program say nothing about this folder. */
export function foldLog(log: CheckpointLog, events: readonly Event[]): CheckpointLog {
  const next = {
    checkpoints: [...log.checkpoints],
    reverts: [...log.reverts],
    turns: [...log.turns],
    messages: new Map(log.messages),
    texts: new Map(log.texts),
    skipped: log.skipped,
  };
  for (const event of events) {
    if (event.inherited === true || event.elsewhere === true) continue;
    if (event.type === 'checkpoint.made') {
      next.checkpoints.push(checkpointOf(event));
      next.skipped = undefined;
    } else if (event.type === 'checkpoint.removed') {
      const removed = new Set(event.checkpointIds);
      next.checkpoints = next.checkpoints.filter(({ id }) => !removed.has(id));
    } else if (event.type === 'checkpoint.skipped') next.skipped = { reason: event.reason, off: event.off === true };
    else if (event.type === 'checkpoint.enabled') next.skipped = undefined;
    else if (event.type === 'revert.done') next.reverts.push(event);
    else if (event.type === 'turn.started')
      next.turns.push({
        turnId: event.turnId,
        commandId: event.commandId,
        seq: event.seq,
        at: event.at,
        text: event.commandId === undefined ? undefined : next.texts.get(event.commandId),
      });
    else if (event.type === 'input.accepted') {
      next.texts.set(event.commandId, event.text.slice(0, TEXT_CHARS));
      next.messages.set(event.seq, event.commandId);
    } else if (event.type === 'user.message' && event.commandId !== undefined) next.messages.set(event.seq, event.commandId);
  }
  return { ...next, seq: events.at(-1)?.seq ?? log.seq };
}

const checkpointOf = (event: EventOf<'checkpoint.made'>): Checkpoint => ({
  id: event.checkpointId,
  seq: event.seq,
  at: event.at,
  commit: event.commit,
  when: event.when,
  commandId: event.commandId,
  turnId: event.turnId,
  late: event.late === true,
  shared: event.shared === true,
  changed: event.changed,
  changedMore: event.changedMore ?? 0,
  left: event.left,
});

/** The state to which `to` leads: the checkpoint itself, the one made before that message, or the last one up to that event. */
export function checkpointAt(log: CheckpointLog, to: number): Checkpoint | undefined {
  const exact = log.checkpoints.find(({ seq }) => seq === to);
  if (exact !== undefined) return exact;
  const message = log.messages.get(to);
  const before = message === undefined ? undefined : log.checkpoints.find(({ when, commandId }) => when === 'before' && commandId === message);
  return before ?? log.checkpoints.findLast(({ seq }) => seq <= to);
}

/** Something that this session did to files: a turn, or a revert. `only` limits it to these paths. */
export interface Step {
  readonly from: string;
  readonly to: string;
  readonly shared: boolean;
  readonly only?: ReadonlySet<string>;
}

/** What this session did after a checkpoint, in order. What lies between a turn's end and the next message was done by somebody else. */
export function stepsAfter(log: CheckpointLog, target: Checkpoint): readonly Step[] {
  const turns = log.checkpoints.flatMap((checkpoint, at) => {
    const before = log.checkpoints[at - 1];
    const isTurn = checkpoint.seq > target.seq && checkpoint.when === 'after' && !checkpoint.late && before?.when === 'before';
    return isTurn ? [{ seq: checkpoint.seq, step: { from: before.commit, to: checkpoint.commit, shared: checkpoint.shared } }] : [];
  });
  const commits = new Map(log.checkpoints.map(({ id, commit }) => [id, commit]));
  const reverts = log.reverts.flatMap(({ seq, undo, checkpointId, files }) => {
    const [from, to] = [undo === undefined ? undefined : commits.get(undo), commits.get(checkpointId)];
    if (seq <= target.seq || from === undefined || to === undefined) return [];
    const only = new Set(files.flatMap(({ path, result }) => (result === 'refused' ? [] : [path])));
    return [{ seq, step: { from, to, shared: false, only } }];
  });
  return [...turns, ...reverts].sort((a, b) => a.seq - b.seq).map(({ step }) => step);
}

/** The checkpoints around a turn, if both exist. */
export function aroundTurn(log: CheckpointLog, turnId: TurnId): { readonly before: Checkpoint; readonly after: Checkpoint } | undefined {
  const at = log.checkpoints.findIndex(({ when, turnId: of }) => when === 'after' && of === turnId);
  const [before, after] = [log.checkpoints[at - 1], log.checkpoints[at]];
  return before?.when === 'before' && after !== undefined ? { before, after } : undefined;
}
