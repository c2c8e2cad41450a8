import { JournalUnwritable } from '../../journal/faults.ts';
import type { World } from '../engine-context.ts';
import type { SessionBox } from '../loop/session-actor.ts';

/** Lets the rules in force speak about everything that waits in these sessions. What cannot be kept now (a full disk) goes on waiting for a person. */
export function speakAbout(world: World, boxes: Iterable<SessionBox>): void {
  for (const box of [...boxes]) {
    try {
      box.judgeAgain();
    } catch (error) {
      if (!(error instanceof JournalUnwritable)) throw error;
      world.deps.log.error({ error, session: box.state.id }, 'what a rule says could not be kept');
    }
  }
}
