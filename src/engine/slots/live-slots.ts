import { waitsForPlace } from '../../domain/session/status.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { placeFree, type World } from '../engine-context.ts';
import type { SessionBox } from '../loop/session-actor.ts';
import { bytesInWords, memoryUsed } from './process-memory.ts';

/** Lets the sessions that wait for a place go on, and puts the longest idle to sleep for them. */
export function givePlaces(world: World): void {
  if (world.closing) return;
  const waiting = [...world.boxes.values()].filter(isWaiting).sort((a, b) => a.state.status.at.localeCompare(b.state.status.at));
  for (const box of waiting) {
    if (!placeFree(world)) break;
    box.poke('a place is free');
  }
  const idle = waiting.some(isWaiting) ? longestIdle(world) : undefined;
  if (idle !== undefined) putToSleep(idle);
}

const isWaiting = (box: SessionBox): boolean => waitsForPlace(box.state);

/** What works behind the turns would be lost. */
const mayRest = ({ state }: SessionBox): boolean =>
  state.status.status === 'idle' && state.run.phase === 'ready' && state.tasks.length === 0 && state.queue.length === 0;

const longestIdle = (world: World): SessionBox | undefined => idleLongestFirst(world)[0];

function idleLongestFirst(world: World): SessionBox[] {
  const idle = [...world.boxes.values()].filter(mayRest);
  return idle.sort((a, b) => a.state.status.at.localeCompare(b.state.status.at));
}

/** While the agents have more memory together than they may, the longest idle go to sleep; one that works is never ended for it. */
export function sleepForMemory(world: World): void {
  const cap = world.deps.settings.maxMemoryBytes;
  let used = memoryUsed(world);
  if (world.closing || cap === 0) return;
  for (const box of idleLongestFirst(world)) {
    if (used <= cap) return;
    const text = `Put to sleep: all agents together had ${bytesInWords(used)} of memory, and may have ${bytesInWords(cap)}. It wakes with its next message.`;
    used -= box.run?.rssBytes ?? 0;
    box.note((draft) => draft.emit({ type: 'notice.shown', level: 'info', text, actor: SYSTEM }));
    putToSleep(box);
  }
}

/** Falling asleep is the one thing that time alone may cause. */
export function sleepIdle(world: World): void {
  const limitMs = world.deps.settings.idleMinutes * 60_000;
  if (world.closing || limitMs <= 0) return;
  const now = world.deps.now().getTime();
  for (const box of world.boxes.values()) {
    if (mayRest(box) && now - Date.parse(box.state.status.at) >= limitMs) putToSleep(box);
  }
}

function putToSleep(box: SessionBox): void {
  const commandId = `sleep:${box.world.deps.newId()}` as CommandId;
  box.command({ command: { type: 'session.sleep', commandId, sessionId: box.state.id }, node: box.world.deps.machine.node }, SYSTEM, '');
}
