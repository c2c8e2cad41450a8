import * as z from 'zod/mini';
import type { Translation } from '../adapter.ts';
import { jsonObject } from '../formats/json-object.ts';
import { answered } from './answers.ts';
import { EVENTS } from './events.ts';
import type { State, Step } from './state.ts';
import { lookUp, nothing, tell } from './state.ts';
import { unrecognised } from './unrecognised.ts';
import { EventLine, KeeperLine, Response } from './wire.ts';

export function translate(state: State, line: string): Translation<State> {
  const step = read(state, line);
  return { state: step.state, observations: step.observations, replies: step.replies ?? NO_REPLIES };
}

const NO_REPLIES: readonly string[] = [];

function read(state: State, line: string): Step {
  const frame = jsonObject(line);
  if (frame === undefined) return line.trim() === '' ? nothing(state) : tell(state, unrecognised(line, 'no JSON object'));
  return attempt(state, frame) ?? tell(state, unrecognised(line, `not known, or in a shape not seen before: ${String(frame.event ?? frame.type)}`));
}

/** Never a throw for a line we did not foresee: it is shown as it came. */
function attempt(state: State, frame: object): Step | undefined {
  try {
    const event = z.safeParse(EventLine, frame);
    if (event.success) return lookUp(EVENTS, event.data.event)?.(state, event.data.payload);
    const response = z.safeParse(Response, frame);
    if (response.success) return answered(state, response.data);
    const keeper = z.safeParse(KeeperLine, frame);
    return keeper.success ? keeperTold(state, keeper.data) : undefined;
  } catch {
    return undefined;
  }
}

/** What our own program tells of the Gateway: how far it has come, that it is there, that it is lost. */
function keeperTold(state: State, { phase, text = '', version }: KeeperLine): Step | undefined {
  switch (phase) {
    case 'starting':
    case 'note':
      return tell(state, { type: 'notice.shown', level: 'info', text });
    case 'connected':
      return nothing({ ...state, version: version ?? null });
    case 'lost':
      return tell(state, { type: 'notice.shown', level: 'error', text });
    default:
      return undefined;
  }
}
