import * as z from 'zod/mini';
import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Observation } from '../../protocol/observation.ts';
import type { Thinking } from '../../protocol/session.ts';
import type { Reader } from '../formats/fold.ts';
import { emit, readerFor } from '../formats/fold.ts';
import { thinkingOf as knownThinking, levelOf } from '../formats/thinking.ts';
import { GATE } from './extension-protocol.ts';
import type { Purpose } from './request-id.ts';
import { idOf } from './request-id.ts';
import { requestLine } from './request-lines.ts';
import type { State, Step } from './state.ts';
import type { Response } from './wire.ts';
import { Model, ThinkingChanged } from './wire.ts';

export const SETTING_LINES: Readonly<Record<string, Reader<State>>> = {
  thinking_level_changed: readerFor(ThinkingChanged, (state, { level }) =>
    emit({ ...state, thinking: level }, { type: 'thinking.changed', thinking: thinkingOf(level), reason: 'the agent changed how much it thinks' }),
  ),
};

/** An unknown level counts as medium. */
export const thinkingOf = (level: string): Thinking => knownThinking(level) ?? 'medium';

export function settingLine(commandId: CommandId, { setting, value }: Setting, state: State): string {
  const id = idOf({ for: 'set', commandId, setting, value });
  if (setting === 'thinking') return requestLine({ id, type: 'set_thinking_level', level: levelOf(value) });
  // Without our extension the command would reach the model as a message; so we send a request that Pi always refuses.
  if (setting === 'mode')
    return requestLine({ id, ...(state.gate === null ? { type: 'set_model', provider: '', modelId: '' } : gateCommand(`mode ${value}`)) });
  const at = value.indexOf('/');
  return requestLine({ id, type: 'set_model', provider: at < 0 ? state.provider : value.slice(0, at), modelId: value.slice(at + 1) });
}

/** A command to our extension; it runs immediately, even mid-turn. */
export const gateCommand = (command: string) => ({ type: 'prompt', message: `/${GATE} ${command}` });

export function settingAnswered(state: State, { success, error, data }: Response, purpose: Extract<Purpose, { for: 'set' }>): Step {
  if (!success) return emit(state, refused(purpose, purpose.setting === 'mode' ? NO_GATE : (error ?? 'the agent refused it')));
  if (purpose.setting === 'mode') return emit(state, { type: 'mode.changed', mode: purpose.value, reason: 'as requested' });
  if (purpose.setting === 'thinking') return thinkingAnswered(state, purpose);
  const model = z.safeParse(Model, data);
  if (!model.success) return emit(state, refused(purpose, 'the agent did not say which model it uses now'));
  const { provider, id, contextWindow } = model.data;
  return emit(
    { ...state, provider, contextWindow: contextWindow ?? state.contextWindow },
    { type: 'model.changed', model: `${provider}/${id}`, reason: 'as requested' },
  );
}

const NO_GATE = 'the extension that asks for approvals did not start inside Pi';

/** Pi accepts every level and uses the nearest one that the model has; the change itself was reported before. */
function thinkingAnswered(state: State, purpose: Extract<Purpose, { for: 'set' }>): Step {
  const actual = state.thinking ?? levelOf(purpose.value);
  if (thinkingOf(actual) === purpose.value) return emit(state, { type: 'thinking.changed', thinking: thinkingOf(actual), reason: 'as requested' });
  return emit(state, refused(purpose, `this model thinks at the level ${actual} instead`));
}

const refused = ({ commandId, setting, value }: Extract<Purpose, { for: 'set' }>, reason: string): Observation => ({
  type: 'setting.refused',
  commandId,
  setting,
  value,
  reason,
});
