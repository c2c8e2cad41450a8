import type { Event, EventOf } from '../../../src/protocol/event.ts';
import type { ModelRequest } from '../../support/scripted-model/model.ts';
import type { Sent } from '../faults.ts';
import type { Actor, Setup } from '../setup.ts';
import { runsOf } from '../situations.ts';
import { count, type Tally } from '../tally.ts';
import { outputOf } from './lines.ts';

/** Every input ends exactly once, and reached the model or the stand-in exactly once. */
export async function compareInputs(
  setup: Setup,
  actor: Actor,
  events: readonly Event[],
  sent: readonly Sent[],
  requests: readonly ModelRequest[],
  tally: Tally,
): Promise<readonly string[]> {
  const mine = sent.filter((one) => one.actor === actor);
  const acknowledged = actor.agent === 'stand-in' ? await acknowledgedIn(setup, actor, events) : [];
  return mine.flatMap((one) => {
    const seen = actor.agent === 'stand-in' ? acknowledged.filter((id) => id === one.commandId).length : firstRequestsFor(requests, one.token);
    return endOf(one, events, seen, tally).map((what) => `input ${one.commandId} (${one.step.situation}, ${one.step.victim ?? 'no'} victim): ${what}`);
  });
}

function endOf(sent: Sent, events: readonly Event[], seen: number, tally: Tally): readonly string[] {
  const about = events.filter((event) => 'commandId' in event && event.commandId === sent.commandId);
  const of = (type: Event['type']): number => about.filter((event) => event.type === type).length;
  const turns = events.filter((event): event is EventOf<'turn.started'> => event.type === 'turn.started' && event.commandId === sent.commandId);
  const ends = events.filter((event): event is EventOf<'turn.completed'> => event.type === 'turn.completed' && event.turnId === turns[0]?.turnId);
  const returns = of('input.returned');
  const problems = [
    ...expectOnce('accepted', of('input.accepted')),
    ...expectOnce('consumed', of('input.consumed')),
    ...expectOnce('shown in the transcript', of('user.message')),
    ...expectOnce('started as a turn', turns.length),
    ...expectOnce('ended', ends.length),
    ...(of('input.delivered') === returns + 1 ? [] : [`it was delivered ${of('input.delivered')} times and returned ${returns} times`]),
  ];
  const interrupted = ends[0]?.interrupted === true;
  if (seen > 1) problems.push(`the agent ran it ${seen} times`);
  if (!interrupted && seen !== 1) problems.push(`it was answered, but the agent received it ${seen} times`);
  const spared = (!sent.wasHit || sent.step.victim === 'shell') && sent.step.person !== 'interrupts';
  if (spared && sent.step.situation !== 'anytime' && interrupted) problems.push('it was interrupted, although nothing touched its agent');
  if (spared && sent.step.situation !== 'anytime' && !sent.isFollower && returns > 0) problems.push('it was sent again, although nothing touched its agent');
  count(tally, interrupted ? 'inputs interrupted' : returns > 0 ? 'inputs returned and resent' : 'inputs answered');
  return problems;
}

const expectOnce = (what: string, times: number): readonly string[] => (times === 1 ? [] : [`it was ${what} ${times} times`]);

/** The real CLI's first requests for this message; a request after a tool call, or the CLI's own retry, is another step. */
const firstRequestsFor = (requests: readonly ModelRequest[], token: string): number =>
  requests.filter(({ scene }) => scene?.step === 0 && scene.attempt === 0 && scene.keyword !== 'TITLE' && scene.argument.split(/[\s.]+/).includes(token))
    .length;

/** The ids that the stand-in acknowledged, over all its runs. */
async function acknowledgedIn(setup: Setup, actor: Actor, events: readonly Event[]): Promise<readonly string[]> {
  const texts = await Promise.all(runsOf(events).map((run) => outputOf(setup, actor, run)));
  return texts.flatMap((bytes) =>
    [
      ...Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/^\{"t":"ack","n":\d+,"id":"([^"]*)"/gm),
    ].map((found) => found[1] ?? ''),
  );
}
