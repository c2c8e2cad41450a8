import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../../src/protocol/event.ts';
import type { Sent } from '../faults.ts';
import type { Actor, Setup } from '../setup.ts';
import { count, type Tally } from '../tally.ts';

/** An answer that was given was carried out, and one that was not given was not. */
export function compareAnswers(setup: Setup, actor: Actor, events: readonly Event[], sent: readonly Sent[], tally: Tally): readonly string[] {
  const asked = sent.filter((one) => one.actor === actor && one.step.situation === 'mid-approval' && !one.isFollower);
  count(tally, 'approvals compared', asked.length);
  const compare = actor.agent === 'stand-in' ? said : wrote;
  return asked.flatMap((one) => compare(setup, events, one).map((what) => `the approval of ${one.commandId}: ${what}`));
}

/** Nobody took the question away before it was answered. */
const isCertain = ({ wasHit, step }: Sent): boolean => (!wasHit || step.victim === 'shell') && step.person !== 'interrupts';

function wrote(setup: Setup, events: readonly Event[], sent: Sent): readonly string[] {
  const path = join(setup.server.project, `${sent.token}.txt`);
  const isThere = existsSync(path) && readFileSync(path, 'utf8').includes(sent.token);
  const isShown = events.some((event) => event.type === 'tool.completed' && event.change?.path === path);
  if (sent.step.answer === 'deny' && isThere) return ['it was denied and carried out'];
  if (sent.step.answer === 'allow' && isCertain(sent) && !isThere) return ['it was given and not carried out'];
  return isShown && !isThere ? [`${path} is shown as written and is not there`] : [];
}

function said(_stage: Setup, events: readonly Event[], sent: Sent): readonly string[] {
  const heard = events.flatMap((event) =>
    event.type === 'assistant.text' && event.itemId?.startsWith(`${sent.commandId}:`) && event.text.startsWith('I may') ? [event.text] : [],
  );
  const expected = sent.step.answer === 'allow' ? 'I may go on.' : 'I may not.';
  if (heard.length > 1) return [`it was answered ${heard.length} times`];
  if (heard.length === 0) return isCertain(sent) ? ['it never reached the agent'] : [];
  return heard[0] === expected ? [] : [`the agent heard "${heard[0]}"`];
}
