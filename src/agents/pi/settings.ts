import * as z from 'zod/mini';
import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Observation } from '../../protocol/observation.ts';
import type { Thinking } from '../../protocol/session.ts';
import { GATE } from './gate-words.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import { requestLine } from './print.ts';
import type { Purpose } from './request-id.ts';
import { idOf } from './request-id.ts';
import type { State, Step } from './state.ts';
import { tell } from './state.ts';
import type { Response } from './wire.ts';
import { Model, ThinkingChanged } from './wire.ts';

export const SETTING_LINES: Readonly<Record<string, LineKind>> = {
  thinking_level_changed: line(ThinkingChanged, (state, { level }) =>
    tell({ ...state, thinking: level }, { type: 'thinking.changed', thinking: thinkingOf(level), reason: 'the agent changed how much it thinks' }),
  ),
};

/** Pi has more levels than we have words for. */
const THINKING: Readonly<Record<string, Thinking | undefined>> = {
  off: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
  max: 'max',
};

export const thinkingOf = (level: string): Thinking => THINKING[level] ?? 'medium';

/** `max` is newer than 0.73.1, which lowers `xhigh` to what the model can do. */
export const levelOf = (thinking: string): string => (thinking === 'max' ? 'xhigh' : thinking);

export function settingLine(commandId: CommandId, { setting, value }: Setting, state: State): string {
  const id = idOf({ for: 'set', commandId, setting, value });
  if (setting === 'thinking') return requestLine({ id, type: 'set_thinking_level', level: levelOf(value) });
  // Without our extension the order would reach the model as a message; a request that Pi always refuses tells the person instead.
  if (setting === 'mode') return requestLine({ id, ...(state.gate === null ? { type: 'set_model', provider: '', modelId: '' } : gateOrder(`mode ${value}`)) });
  const at = value.indexOf('/');
  return requestLine({ id, type: 'set_model', provider: at < 0 ? state.provider : value.slice(0, at), modelId: value.slice(at + 1) });
}

/** An order to our extension: its command is carried out at once, even in mid-turn. */
export const gateOrder = (order: string) => ({ type: 'prompt', message: `/${GATE} ${order}` });

export function settingAnswered(state: State, { success, error, data }: Response, wish: Extract<Purpose, { for: 'set' }>): Step {
  if (!success) return tell(state, refused(wish, wish.setting === 'mode' ? NO_GATE : (error ?? 'the agent refused it')));
  if (wish.setting === 'mode') return tell(state, { type: 'mode.changed', mode: wish.value, reason: 'as it was asked for' });
  if (wish.setting === 'thinking') return thinkingAnswered(state, wish);
  const model = z.safeParse(Model, data);
  if (!model.success) return tell(state, refused(wish, 'the agent did not say which model it uses now'));
  const { provider, id, contextWindow } = model.data;
  return tell(
    { ...state, provider, contextWindow: contextWindow ?? state.contextWindow },
    { type: 'model.changed', model: `${provider}/${id}`, reason: 'as it was asked for' },
  );
}

const NO_GATE = 'the extension that asks for approvals did not start inside Pi';

/** Pi says yes to every level and takes the nearest that the model has; the change itself was told before. */
function thinkingAnswered(state: State, wish: Extract<Purpose, { for: 'set' }>): Step {
  const actual = state.thinking ?? levelOf(wish.value);
  if (thinkingOf(actual) === wish.value) return tell(state, { type: 'thinking.changed', thinking: thinkingOf(actual), reason: 'as it was asked for' });
  return tell(state, refused(wish, `this model thinks at the level ${actual} instead`));
}

const refused = ({ commandId, setting, value }: Extract<Purpose, { for: 'set' }>, reason: string): Observation => ({
  type: 'setting.refused',
  commandId,
  setting,
  value,
  reason,
});
