import { useNavigate, useParams } from '@tanstack/react-router';
import type { ActionChoice, Binding, Bindings } from '../../base/actions/actions.ts';
import { useActions } from '../../base/actions/actions-context.ts';
import type { ShellActions } from '../../base/actions/shell-context.ts';
import type { Appearance } from '../../base/appearance/appearance.ts';
import { useAppearance } from '../../base/appearance/appearance-context.ts';
import { APPEARANCE_OPTIONS } from '../../base/appearance/choices.ts';
import { SETTINGS_TABS } from '../../pages/settings/settings-tabs.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { nextWaiting } from '../../store/sessions/nav-order.ts';
import { NAV_ITEMS } from './nav-items.ts';

/** Actions that work everywhere. */
export function useShellActions(dialogs: ShellActions): void {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const { sessionId } = useParams({ strict: false });
  const canTry = useApp((state) => state.phase.name === 'waiting');
  const settings: readonly ActionChoice[] = SETTINGS_TABS.map(({ to, name }) => ({ title: name, run: () => void navigate({ to }) }));
  const navigation: Bindings = Object.fromEntries(NAV_ITEMS.map(({ to, action }) => [action, () => void navigate({ to })]));
  useActions({
    ...navigation,
    'go.settings': { run: () => void navigate({ to: '/settings' }), choices: settings },
    'go.waiting': () => {
      const next = nextWaiting(cockpit.store.getState().permissions, sessionId);
      if (next === undefined) cockpit.showNotice('info', sessionId === undefined ? 'Nothing needs you.' : 'No other session needs you.');
      else void navigate({ to: '/s/$sessionId', params: { sessionId: next.sessionId } });
    },
    'palette.open': dialogs.openPalette,
    'keys.show': dialogs.openKeys,
    'session.new': dialogs.openNewSession,
    'look.theme': useLook('theme'),
    'look.density': useLook('density'),
    'look.text': useLook('text'),
    'connection.retry': canTry ? () => cockpit.nudge() : undefined,
  });
}

function useLook<K extends 'theme' | 'density' | 'text'>(name: K): Binding {
  const [appearance, change] = useAppearance();
  const now = appearance[name];
  const choose = (value: Appearance[K]) => change({ [name]: value });
  const choices = APPEARANCE_OPTIONS[name].choices.map(([value, title]) => ({ title, isNow: value === now, run: () => choose(value) }));
  return { run: () => undefined, choices };
}
