import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../../src/protocol/event.ts';
import type { Sent } from '../faults.ts';
import type { Actor, Setup } from '../setup.ts';
import { count, type Tally } from '../tally.ts';

/** An allowed call was carried out, and a denied one was not. */
export function compareAnswers(setup: Setup, actor: Actor, events: readonly Event[], sent: readonly Sent[], tally: Tally): readonly string[] {
  const asked = sent.filter((one) => one.actor === actor && one.step.situation === 'mid-approval' && !one.isFollower);
  count(tally, 'approvals compared', asked.length);
  const compare = actor.agent === 'stand-in' ? compareReply : compareFile;
  return asked.flatMap((one) => compare(setup, events, one).map((what) => `the approval of ${one.commandId}: ${what}`));
}

/** Nothing could withdraw the request before it was answered. */
const isCertain = ({ wasHit, step }: Sent): boolean => (!wasHit || step.victim === 'shell') && step.person !== 'interrupts';

function compareFile(setup: Setup, events: readonly Event[], sent: Sent): readonly string[] {
  const path = join(setup.server.project, `${sent.token}.txt`);
  const exists = existsSync(path) && readFileSync(path, 'utf8').includes(sent.token);
  const isShown = events.some((event) => event.type === 'tool.completed' && event.change?.path === path);
  if (sent.step.answer === 'deny' && exists) return ['it was denied but carried out'];
  if (sent.step.answer === 'allow' && isCertain(sent) && !exists) return ['it was allowed but not carried out'];
  return isShown && !exists ? [`${path} is shown as written but does not exist`] : [];
}

function compareReply(_setup: Setup, events: readonly Event[], sent: Sent): readonly string[] {
  const replies = events.flatMap((event) =>
    event.type === 'assistant.text' && event.itemId?.startsWith(`${sent.commandId}:`) && event.text.startsWith('I may') ? [event.text] : [],
  );
  const expected = sent.step.answer === 'allow' ? 'I may go on.' : 'I may not.';
  if (replies.length > 1) return [`it was answered ${replies.length} times`];
  if (replies.length === 0) return isCertain(sent) ? ['it never reached the agent'] : [];
  return replies[0] === expected ? [] : [`the agent replied "${replies[0]}"`];
}
