import * as z from 'zod/mini';
import { Setting } from '../../../protocol/event.ts';
import { CommandId } from '../../../protocol/ids.ts';
import type { Observation } from '../../../protocol/observation.ts';
import { Thinking } from '../../../protocol/session.ts';
import { emit, emitNothing } from '../../formats/fold.ts';
import { AT_LAUNCH } from './settings.ts';
import type { State, Step } from './state.ts';
import type { Response } from './wire.ts';
import { ModelReply, ModeReply, RewindReply } from './wire.ts';

const SettingArguments = z.tuple([CommandId, Setting.shape.setting, z.string(), z.optional(z.string())]);
const RewindArguments = z.tuple([CommandId, z.boolean()]);

/** Reads the answer to a setting or a rewind; undefined when it answers something else. */
export function observeReply(state: State, to: string, response: Response): Step | undefined {
  const setting = argumentsOf(to, /^set:/, SettingArguments);
  if (setting !== undefined) return settled(state, setting, response);
  const budget = argumentsOf(to, /^budget:/, SettingArguments);
  if (budget !== undefined) return response.subtype === 'success' ? emitNothing(state) : emit(state, refused(budget, reasonOf(response)));
  const listed = argumentsOf(to, /^rewind-list:/, RewindArguments);
  if (listed !== undefined) return emitNothing({ ...state, rewindable: filesIn(response) });
  const rewound = argumentsOf(to, /^rewind:/, RewindArguments);
  return rewound === undefined ? undefined : filesRewound(state, rewound, response);
}

function argumentsOf<S extends z.core.$ZodType>(id: string, prefix: RegExp, schema: S): z.infer<S> | undefined {
  if (!prefix.test(id)) return undefined;
  const parsed = z.safeParse(schema, JSON.parse(id.replace(prefix, '')));
  return parsed.success ? parsed.data : undefined;
}

type SettingRequest = z.infer<typeof SettingArguments>;

function settled(state: State, request: SettingRequest, response: Response): Step {
  const [, setting, value] = request;
  if (response.subtype !== 'success') return emit(state, refused(request, reasonOf(response)));
  if (setting === 'model') return modelSet(state, value, response);
  if (setting === 'mode') return modeSet(state, value, response);
  return thinkingSet(state, request);
}

const refused = ([commandId, setting, value]: SettingRequest, reason: string): Observation => ({ type: 'setting.refused', commandId, setting, value, reason });

const CONFIRMED = 'the agent confirmed the change';

/** 2.1.325 returns the full model name; 2.1.197 has it in the handshake. So the next `init` reports no change. */
function modelSet(state: State, value: string, response: Response): Step {
  const observed = z.safeParse(ModelReply, response.response);
  const model = observed.success ? observed.data.model : (state.handshake?.models.find((one) => one.value === value)?.resolved ?? value);
  return emit({ ...state, session: state.session && { ...state.session, model } }, { type: 'model.changed', model, reason: CONFIRMED });
}

/** A `status` line with the same mode follows and adds nothing; it is missing when the mode was already active. */
function modeSet(state: State, value: string, response: Response): Step {
  const observed = z.safeParse(ModeReply, response.response);
  const mode = observed.success ? observed.data.mode : value;
  return emit({ ...state, session: state.session && { ...state.session, mode } }, { type: 'mode.changed', mode, reason: CONFIRMED });
}

function thinkingSet(state: State, request: SettingRequest): Step {
  const [commandId, , value, model] = request;
  const thinking = Thinking.safeParse(value);
  if (!thinking.success) return emitNothing(state);
  if (thinking.data !== 'off' || !alwaysThinks(state, state.session?.model ?? model))
    return emit(state, { type: 'thinking.changed', thinking: thinking.data, reason: CONFIRMED });
  const reason = 'this model always thinks; it is set to its lowest level';
  const lowest: Observation = { type: 'thinking.changed', thinking: 'low', reason };
  return commandId === AT_LAUNCH ? emit(state, lowest) : emit(state, refused(request, reason), lowest);
}

/** Newer versions say which models can't turn thinking off; they still answer "success" to `off` (2.1.325). */
function alwaysThinks({ handshake }: State, model: string | undefined): boolean {
  return handshake?.models.some((one) => one.alwaysThinks && (one.value === model || one.resolved === model)) ?? false;
}

function filesRewound(state: State, [commandId, dryRun]: z.infer<typeof RewindArguments>, response: Response): Step {
  const answer = z.safeParse(RewindReply, response.response);
  const canRewind = response.subtype === 'success' && answer.success && answer.data.canRewind;
  const touched = dryRun ? filesIn(response) : state.rewindable;
  const problem = canRewind ? undefined : answer.success ? answer.data.error : reasonOf(response);
  return emit(
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
