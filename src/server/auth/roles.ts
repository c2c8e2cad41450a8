import type { Actor, Role } from '../../protocol/actor.ts';
import type { Command, Refusal } from '../../protocol/command.ts';
import type { Remember } from '../../protocol/rule.ts';
import type { Identity } from './tokens.ts';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, driver: 1, owner: 2 };

/** A viewer reads; a driver also sends, approves and creates; an owner can do everything. */
export const mayActAs = (has: Role, needs: Role): boolean => RANK[has] >= RANK[needs];

/** The role each command needs; only the owner can delete a session for good. */
export const ROLE_OF_COMMAND: Readonly<Record<Command['type'], Role>> = {
  'session.create': 'driver',
  'input.send': 'driver',
  'input.cancel': 'driver',
  'input.edit': 'driver',
  'input.move': 'driver',
  'input.steer': 'driver',
  'model.set': 'driver',
  'mode.set': 'driver',
  'thinking.set': 'driver',
  'files.rewind': 'driver',
  'files.revert': 'driver',
  'checkpoints.enable': 'driver',
  'session.takeover': 'driver',
  'continuation.schedule': 'driver',
  'continuation.cancel': 'driver',
  'queue.pause': 'driver',
  'queue.resume': 'driver',
  'queue.clear': 'driver',
  'turn.interrupt': 'driver',
  'session.stop': 'driver',
  'session.sleep': 'driver',
  'session.wake': 'driver',
  'session.describe': 'driver',
  'item.mark': 'driver',
  'annotation.make': 'driver',
  'annotation.edit': 'driver',
  'annotation.withdraw': 'driver',
  'annotation.settle': 'driver',
  'annotation.answer': 'driver',
  'review.send': 'driver',
  'review.mark': 'driver',
  'permission.answer': 'driver',
  'git.note': 'driver',
  'git.trust': 'driver',
  'git.start': 'driver',
  'git.record': 'driver',
  'pr.link': 'driver',
  'pr.update': 'driver',
  'pr.dismiss': 'driver',
  'session.delete': 'owner',
  // Sent by the part that runs agents' tools, never by a client.
  'tool.ask': 'owner',
  'tool.question': 'owner',
  'tool.answer': 'owner',
  'agent.refuse': 'owner',
  // Sent by the parts that serve hooks and polling programs.
  'hook.ask': 'owner',
  'hook.settle': 'owner',
  'hook.report': 'owner',
  'input.lease': 'driver',
  'input.acknowledge': 'driver',
};

/** A decision remembered beyond one session is a rule, and only owners make rules. */
export function refusalToRemember(role: Role, remember: Remember | undefined): Refusal | undefined {
  if (remember === undefined || remember.scope === 'session' || mayActAs(role, 'owner')) return undefined;
  return {
    refused: 'not-permitted',
    message: `Only an owner can make a rule for the ${scopeWords[remember.scope]}; your role is ${role}. Make it for this session, or allow it once.`,
  };
}

const scopeWords = { project: 'whole project', everywhere: 'whole server' } as const;

/** The sender as events and the audit log name them: only from the token and the connection, never from the request's content. */
export const actorOf = (identity: Identity, from: string): Actor => ({ kind: 'person', id: identity.id, name: identity.name, from });
