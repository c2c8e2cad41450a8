import * as z from 'zod/mini';
import { emit, emitNothing, ownProperty, translator } from '../formats/fold.ts';
import { jsonObject } from '../formats/json-object.ts';
import { EVENTS } from './events.ts';
import { answered } from './responses.ts';
import type { State, Step } from './state.ts';
import { EventLine, KeeperLine, Response } from './wire.ts';

export const translate = translator<State, Readonly<Record<string, unknown>>>({
  parse: jsonObject,
  notParsed: 'no JSON object',
  read,
  reason: (frame) => `not known, or in a shape not seen before: ${String(frame.event ?? frame.type)}`,
});

function read(state: State, frame: object): Step | undefined {
  const event = z.safeParse(EventLine, frame);
  if (event.success) return ownProperty(EVENTS, event.data.event)?.(state, event.data.payload);
  const response = z.safeParse(Response, frame);
  if (response.success) return answered(state, response.data);
  const keeper = z.safeParse(KeeperLine, frame);
  return keeper.success ? observeKeeper(state, keeper.data) : undefined;
}

/** Messages from the keeper about the Gateway: starting, connected, lost. */
function observeKeeper(state: State, { phase, text = '', version }: KeeperLine): Step | undefined {
  switch (phase) {
    case 'starting':
    case 'note':
      return emit(state, { type: 'notice.shown', level: 'info', text });
    case 'connected':
      return emitNothing({ ...state, version: version ?? null });
    case 'lost':
      return emit(state, { type: 'notice.shown', level: 'error', text });
    default:
      return undefined;
  }
}
