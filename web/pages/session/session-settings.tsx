import { modelText } from '../../../src/domain/model-text.ts';
import type { Models } from '../../../src/domain/transcript/item.ts';
import { type OwnMode, Thinking } from '../../../src/protocol/session.ts';
import { modeText } from '../../base/text/format.ts';
import { agentTitleIn } from '../../parts/common/agent-title.ts';
import { useCapabilities } from '../../parts/common/use-capabilities.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { type Choice, SettingMenu } from './setting-menu.tsx';

const NO_MODELS: Models = [];

/** Model, mode and thinking of a live session. What the agent can't change is shown as text. */
export function SessionSettings({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const can = useCapabilities(sessionId);
  const session = useApp((state) => state.sessions.get(sessionId));
  const wishes = useApp((state) => state.open.get(sessionId)?.transcript.wishes);
  const models = useApp((state) => state.open.get(sessionId)?.transcript.models ?? NO_MODELS);
  const ownModes = can?.ownModes ?? [];
  const agent = useApp((state) => agentTitleIn(state, sessionId));
  if (session === undefined) return null;
  const isAsleep = session.control !== 'here';
  const shared = (setting: 'model' | 'mode' | 'thinking') => ({
    requested: wishes?.get(setting),
    isAsleep,
    onChoose: (value: string) => void cockpit.set(sessionId, setting, value),
  });
  const modelName = (value: string) => modelOf(models, value)?.title ?? modelText(value, agent);
  return (
    <>
      {can?.setModel && models.length > 0 ? (
        <SettingMenu
          title="Model"
          now={session.model && (modelOf(models, session.model)?.value ?? session.model)}
          textOf={modelName}
          choices={models.map(modelChoice)}
          {...shared('model')}
        />
      ) : (
        session.model !== undefined && (
          <span className="chip" title={session.model}>
            {modelText(session.model, agent)}
          </span>
        )
      )}
      {can !== undefined && can.modes.length + ownModes.length > 0 ? (
        <SettingMenu
          title="Permissions"
          now={session.permissionMode}
          textOf={(mode) => ownModes.find(({ id }) => id === mode)?.name ?? modeText(mode)}
          choices={[...can.modes.map(modeChoice), ...ownModes.map(ownModeChoice)]}
          isDangerous={session.permissionMode === BYPASS || ownModes.some(({ id, bypasses }) => id === session.permissionMode && bypasses === true)}
          {...shared('mode')}
        />
      ) : (
        session.permissionMode !== undefined && (
          <span className={session.permissionMode === BYPASS ? 'chip danger' : 'chip'}>{modeText(session.permissionMode)}</span>
        )
      )}
      {can?.setThinking && (
        <SettingMenu title="Thinking" now={session.thinking} textOf={thinkingText} choices={Thinking.options.map(thinkingChoice)} {...shared('thinking')} />
      )}
    </>
  );
}

const BYPASS = 'bypassPermissions';

/** An agent runs a model under its full name and lists it under a short one. Of several matches, the last is not just the default. */
const modelOf = (models: Models, name: string) => models.find(({ value }) => value === name) ?? models.findLast(({ resolved }) => resolved === name);

const modelChoice = ({ value, title }: (typeof NO_MODELS)[number]): Choice => ({ value, label: title ?? value, ...(title !== undefined && { hint: value }) });

const modeChoice = (value: string): Choice => ({
  value,
  label: modeText(value),
  ...(value === BYPASS && { isDangerous: true, hint: 'runs everything without asking' }),
});

/** A mode as the agent names and describes it. */
const ownModeChoice = ({ id, name, description, bypasses }: OwnMode): Choice => ({
  value: id,
  label: name,
  ...(description !== undefined && { hint: description }),
  ...(bypasses && { isDangerous: true }),
});

const thinkingText = (value: string): string => (value === 'off' ? 'no thinking' : `${value} thinking`);
const thinkingChoice = (value: string): Choice => ({ value, label: thinkingText(value) });
