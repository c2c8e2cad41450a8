import * as z from 'zod/mini';
import { Setting } from '../../../protocol/event.ts';
import { CommandId } from '../../../protocol/ids.ts';
import type { Observation } from '../../../protocol/observation.ts';
import { Thinking } from '../../../protocol/session.ts';
import { AT_LAUNCH } from '../settings.ts';
import type { State, Step } from '../state.ts';
import { nothing, tell } from '../state.ts';
import type { Response } from './wire.ts';
import { ModelReply, ModeReply, RewindReply } from './wire.ts';

const Wished = z.tuple([CommandId, Setting.shape.setting, z.string(), z.optional(z.string())]);
const Rewound = z.tuple([CommandId, z.boolean()]);

/** What the answer to a wish or to a rewind tells; undefined when it answers something else. */
export function replyTold(state: State, to: string, response: Response): Step | undefined {
  const wished = argumentsOf(to, /^set:/, Wished);
  if (wished !== undefined) return settled(state, wished, response);
  const begun = argumentsOf(to, /^budget:/, Wished);
  if (begun !== undefined) return response.subtype === 'success' ? nothing(state) : tell(state, refused(begun, reasonOf(response)));
  const listed = argumentsOf(to, /^rewind-list:/, Rewound);
  if (listed !== undefined) return nothing({ ...state, rewindable: filesIn(response) });
  const rewound = argumentsOf(to, /^rewind:/, Rewound);
  return rewound === undefined ? undefined : filesRewound(state, rewound, response);
}

function argumentsOf<S extends z.core.$ZodType>(id: string, prefix: RegExp, schema: S): z.infer<S> | undefined {
  if (!prefix.test(id)) return undefined;
  const parsed = z.safeParse(schema, JSON.parse(id.replace(prefix, '')));
  return parsed.success ? parsed.data : undefined;
}

type Wish = z.infer<typeof Wished>;

function settled(state: State, wish: Wish, response: Response): Step {
  const [, setting, value] = wish;
  if (response.subtype !== 'success') return tell(state, refused(wish, reasonOf(response)));
  if (setting === 'model') return modelSet(state, value, response);
  if (setting === 'mode') return modeSet(state, value, response);
  return thinkingSet(state, wish);
}

const refused = ([commandId, setting, value]: Wish, reason: string): Observation => ({ type: 'setting.refused', commandId, setting, value, reason });

const CONFIRMED = 'the agent confirmed the change';

/** 2.1.325 says which model it is in full; 2.1.197 said so in the handshake. The next `init` then tells nothing new. */
function modelSet(state: State, value: string, response: Response): Step {
  const told = z.safeParse(ModelReply, response.response);
  const model = told.success ? told.data.model : (state.handshake?.models.find((one) => one.value === value)?.resolved ?? value);
  return tell({ ...state, session: state.session && { ...state.session, model } }, { type: 'model.changed', model, reason: CONFIRMED });
}

/** A `status` line with the same mode follows, and tells nothing more; when the mode was in force already, none does. */
function modeSet(state: State, value: string, response: Response): Step {
  const told = z.safeParse(ModeReply, response.response);
  const mode = told.success ? told.data.mode : value;
  return tell({ ...state, session: state.session && { ...state.session, mode } }, { type: 'mode.changed', mode, reason: CONFIRMED });
}

function thinkingSet(state: State, wish: Wish): Step {
  const [commandId, , value, model] = wish;
  const thinking = Thinking.safeParse(value);
  if (!thinking.success) return nothing(state);
  if (thinking.data !== 'off' || !alwaysThinks(state, state.session?.model ?? model))
    return tell(state, { type: 'thinking.changed', thinking: thinking.data, reason: CONFIRMED });
  const reason = 'this model always thinks; it now does so as little as it can';
  const least: Observation = { type: 'thinking.changed', thinking: 'low', reason };
  return commandId === AT_LAUNCH ? tell(state, least) : tell(state, refused(wish, reason), least);
}

/** Newer versions say of each model whether it can do without; to a wish for none they say yes all the same (2.1.325). */
function alwaysThinks({ handshake }: State, model: string | undefined): boolean {
  return handshake?.models.some((one) => one.alwaysThinks && (one.value === model || one.resolved === model)) ?? false;
}

function filesRewound(state: State, [commandId, dryRun]: z.infer<typeof Rewound>, response: Response): Step {
  const answer = z.safeParse(RewindReply, response.response);
  const canRewind = response.subtype === 'success' && answer.success && answer.data.canRewind;
  const touched = dryRun ? filesIn(response) : state.rewindable;
  const problem = canRewind ? undefined : answer.success ? answer.data.error : reasonOf(response);
  return tell(
    { ...state, rewindable: null },
    {
      type: 'files.rewound',
      commandId,
      dryRun,
      canRewind,
      files: canRewind ? [...(touched?.files ?? [])] : [],
      ...(canRewind && touched?.insertions !== undefined && { insertions: touched.insertions }),
      ...(canRewind && touched?.deletions !== undefined && { deletions: touched.deletions }),
      ...(problem !== undefined && { problem }),
    },
  );
}

function filesIn(response: Response): State['rewindable'] {
  const answer = z.safeParse(RewindReply, response.response);
  if (!answer.success) return null;
  const { filesChanged = [], insertions, deletions } = answer.data;
  return { files: filesChanged, ...(insertions !== undefined && { insertions }), ...(deletions !== undefined && { deletions }) };
}

const reasonOf = (response: Response): string => response.error ?? 'the agent gave no reason';
