import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { Setting } from '../../protocol/event.ts';
import type { ReportedCapabilities, SessionOptions } from '../../protocol/session.ts';
import { PermissionMode, Thinking } from '../../protocol/session.ts';
import type { Draft } from './draft.ts';
import { endRun, hasUnfinishedWork } from './end-run.ts';
import type { SessionState } from './state.ts';

/** A request for another model, mode or thinking level. The page shows it once the agent confirms it. */
export function set(draft: Draft, command: CommandOf<'model.set' | 'mode.set' | 'thinking.set'>): Refusal | undefined {
  const requested = settingOf(command);
  const refusal = notPossible(draft, requested);
  if (refusal !== undefined) return refusal;
  draft.emit({ type: 'setting.requested', commandId: command.commandId, ...requested });
  if (needsFreshProcess(draft.state, requested)) endRun(draft, 'restart');
  else sendSetting(draft, command.commandId, requested);
  return undefined;
}

function settingOf(command: CommandOf<'model.set' | 'mode.set' | 'thinking.set'>): Setting {
  if (command.type === 'model.set') return { setting: 'model', value: command.model };
  if (command.type === 'mode.set') return { setting: 'mode', value: command.mode };
  return { setting: 'thinking', value: command.thinking };
}

function notPossible({ state, now }: Draft, { setting, value }: Setting): Refusal | undefined {
  const { can } = now;
  if (setting === 'model' && !can.setModel) return unsupported('change its model');
  if (setting === 'thinking' && !can.setThinking) return unsupported('change its thinking level');
  if (setting === 'mode' && !isOffered(can, value)) return unsupported(`use the mode ${value}`);
  if (setting === 'mode' && isBypass(can, value) && !now.mayBypass) return BYPASS_REFUSED;
  if (needsFreshProcess(state, { setting, value }) && hasUnfinishedWork(state)) {
    return { refused: 'conflict', message: 'This mode restarts the agent, which is working. Wait for the turn to end, or interrupt it.' };
  }
  return undefined;
}

type Modes = Pick<ReportedCapabilities, 'modes' | 'ownModes'>;

const isOffered = ({ modes = [], ownModes = [] }: Modes, mode: string): boolean => modes.some((one) => one === mode) || ownModes.some(({ id }) => id === mode);

/** A mode in which nobody is asked. */
export const isBypass = ({ ownModes = [] }: Modes, mode: string | undefined): boolean =>
  mode === 'bypassPermissions' || ownModes.some(({ id, bypasses }) => id === mode && bypasses === true);

export const BYPASS_REFUSED: Refusal = {
  refused: 'not-permitted',
  message: 'Bypassing permissions is turned off on this server. To allow it, set "allowBypass": true in the configuration.',
};

const unsupported = (what: string): Refusal => ({ refused: 'not-supported', message: `This agent cannot ${what} in a live session.` });

/** Agents accept the bypass only if they were started with it. */
function needsFreshProcess(state: SessionState, { setting, value }: Setting): boolean {
  return state.run.phase !== 'none' && !state.bypasses && setting === 'mode' && value === 'bypassPermissions';
}

function sendSetting(draft: Draft, commandId: CommandOf<'model.set'>['commandId'], requested: Setting): void {
  const { run } = draft.state;
  if (run.phase === 'opened' || run.phase === 'ready') draft.effect({ type: 'send-setting', run: run.run, commandId, ...requested });
}

/** What a process of this session is started with: the first choice, and what was requested since. */
export function optionsNow(state: SessionState): SessionOptions {
  const { model, mode, thinking } = state.wished;
  const requestedMode = PermissionMode.safeParse(mode);
  const requestedThinking = Thinking.safeParse(thinking);
  // A mode of the agent's own: it knows it again by its id.
  const ownMode = mode !== undefined && !requestedMode.success ? { ownMode: mode } : {};
  return {
    ...state.born?.options,
    ...(model !== undefined && { model }),
    ...(requestedMode.success && { permissionMode: requestedMode.data }),
    ...ownMode,
    ...(requestedThinking.success && { thinking: requestedThinking.data }),
  };
}
