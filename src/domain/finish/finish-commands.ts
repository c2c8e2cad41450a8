import type { Command, CommandOf, Refusal } from '../../protocol/command.ts';
import { scriptSessionOf } from '../../protocol/ids.ts';
import { advance } from '../session/advance.ts';
import type { Draft } from '../session/draft.ts';
import { NO_FINISH } from './finish-state.ts';
import { cardMessage } from './pr-cards.ts';

type FinishCommand = Extract<Command, { type: `git.${string}` | `pr.${string}` }>;

/** Records what was done or found. The acts themselves happen outside, before or after. */
export function decideFinish(draft: Draft, command: FinishCommand): Refusal | undefined {
  switch (command.type) {
    case 'git.note':
      draft.emit({ type: 'git.noted', entries: command.entries });
      return undefined;
    case 'git.trust':
      draft.emit({ type: 'git.trusted', commandId: command.commandId, sha256: command.sha256, names: command.names });
      return undefined;
    case 'git.start':
      return start(draft, command);
    case 'git.record':
      return record(draft, command);
    case 'pr.link':
      draft.emit({ type: 'pr.linked', commandId: command.commandId, host: command.host, url: command.url, number: command.number });
      return undefined;
    case 'pr.update':
      draft.emit({ type: 'pr.updated', url: command.url, state: command.state, checks: command.checks, comments: command.comments });
      return undefined;
    case 'pr.dismiss':
      return dismiss(draft, command);
  }
}

/** In one transaction with the decision to run it, so a kill can't separate the two. */
function start(draft: Draft, { commandId, act, script, head, remote, branch }: CommandOf<'git.start'>): Refusal | undefined {
  const { running } = draft.state.finish ?? NO_FINISH;
  if (running !== null) return { refused: 'conflict', message: `A ${running.act} is still running here. Wait for it to end.` };
  const { scriptId } = script;
  draft.emit({
    ...{ type: 'git.started', commandId, act, scriptId },
    ...(head !== undefined && { head }),
    ...(remote !== undefined && { remote }),
    ...(branch !== undefined && { branch }),
  });
  draft.emit({ type: 'script.started', kind: 'git', sessionId: scriptSessionOf(scriptId), ...script });
  draft.effect({ type: 'start-script', scriptId });
  return undefined;
}

/** The outcome of a commit or push is recorded once, whoever finds it first. */
function record(draft: Draft, { type: _, commandId: __, sessionId: ___, target, ...outcome }: CommandOf<'git.record'>): Refusal | undefined {
  const { recent } = draft.state.finish ?? NO_FINISH;
  if (recent.some((known) => known.commandId === target)) return undefined;
  draft.emit({ type: 'git.acted', commandId: target, ...outcome });
  return undefined;
}

/** Dismissing and sending are one decision, so a card becomes at most one message. */
function dismiss(draft: Draft, { commandId, card: id, send }: CommandOf<'pr.dismiss'>): Refusal | undefined {
  const pr = draft.state.finish?.pr ?? null;
  const card = pr?.cards.find((each) => each.id === id);
  if (pr === null || card === undefined) return { refused: 'not-found', message: 'This card is gone: somebody has dismissed it or sent it to the agent.' };
  draft.emit({ type: 'pr.dismissed', commandId, card: id, sent: send });
  if (!send) return undefined;
  draft.emit({ type: 'input.accepted', commandId, text: cardMessage(card, pr), mode: 'queue' });
  advance(draft, 'input.send');
  return undefined;
}
