import * as z from 'zod/mini';
import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Observation } from '../../protocol/observation.ts';
import { type OwnMode, PermissionMode, Thinking } from '../../protocol/session.ts';
import { emit, emitNothing } from '../formats/fold.ts';
import type { RpcError } from '../formats/json-rpc.ts';
import { requestLine } from '../formats/json-rpc.ts';
import { errorMessage } from './error-message.ts';
import { PROBE_METHOD } from './probe.ts';
import type { Purpose } from './request-id.ts';
import { idOf } from './request-id.ts';
import type { Config, State, Step } from './state.ts';
import type { ConfigOption } from './wire.ts';
import { ConfigOptions } from './wire.ts';

type SettingPurpose = Extract<Purpose, { for: 'set' }>;

/** The protocol's categories for our settings. */
const CATEGORIES = { model: 'model', mode: 'mode', thinking: 'thought_level' } as const;
const SETTINGS: Readonly<Record<string, Setting['setting'] | undefined>> = { model: 'model', mode: 'mode', thought_level: 'thinking' };

/** How many choices are kept; with more models, a person types the name and the agent checks it. */
const KEPT_VALUES = 40;

export function configsOf(options: readonly ConfigOption[]): readonly Config[] {
  return options.flatMap(({ id, category, currentValue, options: choices = [] }) => {
    if (typeof currentValue !== 'string' || !category || SETTINGS[category] === undefined) return [];
    const values = choices.flatMap((choice) => ('value' in choice && typeof choice.value === 'string' ? [choice.value] : inGroup(choice)));
    return [{ id, category, value: currentValue, values: values.slice(0, KEPT_VALUES) }];
  });
}

const Group = z.looseObject({ options: z.array(z.looseObject({ value: z.string() })) });

function inGroup(choice: unknown): readonly string[] {
  const parsed = z.safeParse(Group, choice);
  return parsed.success ? parsed.data.options.map(({ value }) => value) : [];
}

export const currentOf = (configs: readonly Config[], category: string): string | undefined => configs.find((config) => config.category === category)?.value;

export const valuesOf = (configs: readonly Config[], category: string): readonly string[] =>
  configs.find((config) => config.category === category)?.values ?? [];

/** Agents call many things a mode, such as the thinking level (pi-acp 0.0.34): those are neither ours nor the agent's own modes. */
export const isPermission = (modes: readonly string[], own: readonly OwnMode[]): boolean =>
  own.length > 0 || modes.some((mode) => z.safeParse(PermissionMode, mode).success);

export function observeMode(state: State, mode: string): Step {
  return emit(state, ...changed(state, 'mode', mode, 'the agent changed its mode'));
}

/** A request for a setting; for a value that the agent doesn't offer, a probe is sent, whose answer brings the refusal. */
export function settingRequest(state: State, sessionId: string, { setting, value, commandId }: Setting & { readonly commandId?: CommandId }): string {
  const id = idOf({ for: 'set', setting, value, ...(commandId === undefined ? {} : { commandId }) });
  const config = state.configs.find(({ category }) => category === CATEGORIES[setting]);
  if (config !== undefined && (config.values.includes(value) || config.values.length === KEPT_VALUES)) {
    return requestLine(id, 'session/set_config_option', { sessionId, configId: config.id, value });
  }
  if (setting === 'mode' && state.modes.includes(value)) return requestLine(id, 'session/set_mode', { sessionId, modeId: value });
  return requestLine(id, PROBE_METHOD, {});
}

export function settingAnswered(state: State, result: unknown, purpose: SettingPurpose): Step {
  const parsed = z.safeParse(ConfigOptions, result ?? {});
  const configs = parsed.success && parsed.data.configOptions ? configsOf(parsed.data.configOptions) : state.configs;
  const next: State = { ...state, configs };
  const actual = currentOf(configs, CATEGORIES[purpose.setting]) ?? purpose.value;
  if (configs !== state.configs && actual !== purpose.value) return emit(next, ...refusal(purpose, `the agent has ${actual} instead`));
  return emit(next, ...changed(next, purpose.setting, purpose.value, 'as requested'));
}

export function settingRefused(state: State, error: RpcError, purpose: SettingPurpose): Step {
  const config = state.configs.find(({ category }) => category === CATEGORIES[purpose.setting]);
  const values = config?.values ?? (purpose.setting === 'mode' ? state.modes : []);
  const isOffered = values.includes(purpose.value);
  const offers = values.length === 0 ? `the agent offers no choice of ${purpose.setting}` : `the agent knows ${values.slice(0, 10).join(', ')}`;
  return emit(state, ...refusal(purpose, isOffered ? errorMessage(error) : offers));
}

/** A choice from the session's creation has no command to refuse, so it becomes a notice. */
function refusal({ commandId, setting, value }: SettingPurpose, reason: string): readonly Observation[] {
  if (commandId !== undefined) return [{ type: 'setting.refused', commandId, setting, value, reason }];
  return [{ type: 'notice.shown', level: 'warning', text: `The ${setting} ${value} could not be set: ${reason}.` }];
}

/** The agent changed something by itself. */
export function observeConfigs(state: State, options: readonly ConfigOption[]): Step {
  const configs = configsOf(options);
  const changes = configs.filter(({ category, value }) => value !== currentOf(state.configs, category));
  const observed = changes.flatMap(({ category, value }) => changed({ ...state, configs }, SETTINGS[category], value, 'the agent changed it'));
  return state.session.phase === 'open' ? emit({ ...state, configs }, ...observed) : emitNothing({ ...state, configs });
}

function changed(state: State, setting: Setting['setting'] | undefined, value: string, reason: string): readonly Observation[] {
  if (setting === 'model') return [{ type: 'model.changed', model: value, reason }];
  if (setting === 'mode')
    return isPermission([...state.modes, ...valuesOf(state.configs, 'mode')], state.ownModes) ? [{ type: 'mode.changed', mode: value, reason }] : [];
  const thinking = z.safeParse(Thinking, value);
  return thinking.success ? [{ type: 'thinking.changed', thinking: thinking.data, reason }] : [];
}
