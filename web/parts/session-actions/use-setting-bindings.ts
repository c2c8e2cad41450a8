import type { Models } from '../../../src/domain/transcript/item.ts';
import { Thinking } from '../../../src/protocol/session.ts';
import type { Binding, Bindings } from '../../base/actions/actions.ts';
import { modeText } from '../../base/text/format.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useCapabilities } from '../common/use-capabilities.ts';

const NO_MODELS: Models = [];

/** Model, permission mode and thinking, each with its choices. */
export function useSettingBindings(sessionId: string): Bindings {
  const cockpit = useCockpit();
  const can = useCapabilities(sessionId);
  const session = useApp((state) => state.sessions.get(sessionId));
  const models = useApp((state) => state.open.get(sessionId)?.transcript.models ?? NO_MODELS);
  if (session === undefined || can === undefined) return {};
  const ask = (setting: 'model' | 'mode' | 'thinking', now: string | undefined, answers: readonly (readonly [string, string])[]): Binding | undefined =>
    answers.length === 0
      ? undefined
      : {
          run: () => undefined,
          choices: answers.map(([value, title]) => ({ title, isNow: value === now, run: () => void cockpit.set(sessionId, setting, value) })),
        };
  const modelAnswers = can.setModel ? models.map(({ value, title }) => [value, title ?? value] as const) : [];
  const thinkingAnswers = can.setThinking ? Thinking.options.map((value) => [value, value === 'off' ? 'Thinking: off' : `Thinking: ${value}`] as const) : [];
  return {
    'session.model': ask('model', session.model, modelAnswers),
    'session.mode': ask('mode', session.permissionMode, [
      ...can.modes.map((mode) => [mode, modeText(mode)] as const),
      ...(can.ownModes ?? []).map(({ id, name }) => [id, name] as const),
    ]),
    'session.thinking': ask('thinking', session.thinking, thinkingAnswers),
  };
}
