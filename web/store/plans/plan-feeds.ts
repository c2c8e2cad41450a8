import type { ServerFrame } from '../../../src/protocol/frame.ts';
import { PlanId, planOfStream, planStream } from '../../../src/protocol/plan.ts';
import type { Client } from '../../client/socket/socket.ts';

/** The plan as it is, or one event of it. In sequence: after a gap the whole plan comes again. */
export type PlanFrame = Extract<ServerFrame, { type: 'plan' | 'event' }>;
export type PlanListener = (frame: PlanFrame) => void;

export interface PlanFeeds {
  watch(planId: string, listener: PlanListener): () => void;
  /** Whether the frame was one of a plan's stream. */
  take(frame: ServerFrame): boolean;
}

/** Plans are folded by the pages that show them, not here: that code loads with those pages. */
export function planFeeds(client: () => Client): PlanFeeds {
  const listeners = new Map<string, PlanListener>();
  return {
    watch: (planId, listener) => {
      const id = PlanId.safeParse(planId);
      if (!id.success) return () => undefined;
      const stream = planStream(id.data);
      listeners.set(stream, listener);
      client().subscribe(stream);
      return () => {
        if (listeners.get(stream) !== listener) return;
        listeners.delete(stream);
        client().unsubscribe(stream);
      };
    },
    take: (frame) => {
      if (frame.type !== 'plan' && !(frame.type === 'event' && planOfStream(frame.sessionId) !== undefined)) return false;
      listeners.get(frame.sessionId)?.(frame);
      return true;
    },
  };
}
