import type { Actor } from '../../../src/protocol/actor.ts';
import type { Command, CommandOf, Refusal } from '../../../src/protocol/command.ts';
import type { EventBody } from '../../../src/protocol/event.ts';
import type { CheckpointId } from '../../../src/protocol/ids.ts';
import type { StoredSession } from './in-memory-engine.ts';

/** The minimum for each command: the events it would add to a journal. */
export function eventsOf(stored: StoredSession | undefined, command: Command, actor: Actor): readonly EventBody[] | Refusal {
  if (stored === undefined) return { refused: 'not-found', message: `There is no session ${command.sessionId}.` };
  switch (command.type) {
    case 'session.create':
      return created(stored, command, actor);
    case 'input.send':
      return [{ type: 'input.accepted', actor, commandId: command.commandId, text: command.text, mode: command.mode ?? 'queue' }];
    case 'input.cancel':
      return [{ type: 'input.cancelled', actor, commandId: command.target, reason: 'cancelled' }];
    case 'turn.interrupt':
      if (stored.session.status !== 'busy') return { refused: 'nothing-to-interrupt', message: 'No turn runs' };
      return [{ type: 'session.status', actor, status: 'idle', cause: 'interrupted' }];
    case 'session.stop':
      return [{ type: 'session.status', actor, status: 'ended', cause: 'stopped' }];
    case 'session.sleep':
      return [{ type: 'session.status', actor, status: 'sleeping', cause: 'put to sleep' }];
    case 'session.wake':
      return [{ type: 'session.status', actor, status: 'idle', cause: 'woken' }];
    case 'session.delete':
      return [{ type: 'session.deleted', actor }];
    case 'session.describe': {
      const { title, tags, star, note, archived, closed } = command;
      return [{ type: 'meta.changed', actor, title, tags, star, note, archived, closed }];
    }
    case 'item.mark': {
      const { seq, item, star, tags, note } = command;
      return [{ type: 'item.marked', actor, target: seq, item, star, tags, note }];
    }
    case 'permission.answer':
      return answered(stored, command, actor);
    case 'input.edit':
      return [{ type: 'input.edited', actor, commandId: command.target, text: command.text }];
    case 'input.move':
      return [{ type: 'input.moved', actor, commandId: command.target, before: command.before }];
    case 'input.steer':
      return [{ type: 'input.steered', actor, commandId: command.target }];
    case 'files.rewind': {
      const { commandId, seq, dryRun } = command;
      const asked = { type: 'rewind.requested', actor, commandId, messageSeq: seq, messageId: `m${seq}`, dryRun } as const;
      return [asked, { type: 'files.rewound', commandId, dryRun, canRewind: true, files: ['/tmp/a'], insertions: 1 }];
    }
    case 'files.revert': {
      const { commandId, to } = command;
      const checkpointId = 'c1' as CheckpointId;
      return [
        { type: 'revert.requested', actor, commandId, to, checkpointId },
        { type: 'revert.done', commandId, checkpointId, files: [] },
      ];
    }
    case 'git.record':
      return [{ type: 'git.acted', actor, commandId: command.target, act: command.act, ok: command.ok, message: command.message }];
    default:
      return { refused: 'not-supported', message: 'The stand-in cannot do this' };
  }
}

function created(stored: StoredSession, command: CommandOf<'session.create'>, actor: Actor): readonly EventBody[] | Refusal {
  if (stored.events.length > 0) return { refused: 'conflict', message: `There is a session ${command.sessionId} already` };
  const { agent, cwd, options, title, prompt, commandId } = command;
  const first: EventBody = { type: 'session.created', actor, agent, cwd, options, node: 'here', owner: actor.name, title };
  const input: readonly EventBody[] = prompt === undefined ? [] : [{ type: 'input.accepted', actor, commandId, text: prompt, mode: 'queue' }];
  return [first, ...input];
}

function answered(stored: StoredSession, command: CommandOf<'permission.answer'>, actor: Actor): readonly EventBody[] | Refusal {
  const earlier = stored.events.find((event) => event.type === 'permission.resolved' && event.requestId === command.requestId);
  const outcome = command.behavior === 'allow' ? 'allowed' : 'denied';
  if (earlier?.type === 'permission.resolved') {
    return earlier.outcome === outcome ? [] : { refused: 'already-answered', message: `Request ${command.requestId} was ${earlier.outcome}` };
  }
  const { requestId, behavior, commandId, remember } = command;
  return [{ type: 'permission.resolved', actor, requestId, outcome, behavior, commandId, remember }];
}
