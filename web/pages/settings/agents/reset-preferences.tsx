import { useEffect } from 'react';
import type { ResetPreferenceList } from '../../../../src/protocol/http.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { useSettings, useSettingsState } from '../settings-context.ts';

type Preference = ResetPreferenceList['preferences'][number];

/** Whether turns that a usage limit cut off continue by themselves at its reset: everywhere, and what is chosen for single folders and sessions. */
export function ResetPreferences() {
  const settings = useSettings();
  const preferences = useSettingsState((state) => state.resetPreferences);
  useEffect(() => void settings.loadResetPreferences(), [settings]);
  if (preferences === undefined) return null;
  const isOn = preferences.some(({ scope, choice }) => scope.kind === 'everywhere' && choice === 'on');
  const narrower = preferences.filter(({ scope }) => scope.kind !== 'everywhere');
  return (
    <section className="data-part" aria-label="Usage limits">
      <h2>Usage limits</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => void settings.preferAtReset({ kind: 'everywhere' }, event.target.checked ? 'on' : 'unset')}
        />
        When a limit resets, resume automatically in all sessions
      </label>
      {narrower.length > 0 && (
        <ul>
          {narrower.map((preference) => (
            <NarrowerPreference key={JSON.stringify(preference.scope)} preference={preference} />
          ))}
        </ul>
      )}
    </section>
  );
}

function NarrowerPreference({ preference: { scope, choice } }: { readonly preference: Preference }) {
  const settings = useSettings();
  const title = useApp((state) => (scope.kind === 'session' ? state.sessions.get(scope.sessionId)?.title : undefined));
  const where = scope.kind === 'project' ? `in ${scope.folder}` : `in the session ${title ?? (scope.kind === 'session' ? scope.sessionId : '')}`;
  return (
    <li>
      {choice === 'on' ? 'Resume automatically' : 'Don’t resume automatically'} {where}{' '}
      <button type="button" className="text-button" onClick={() => void settings.preferAtReset(scope, 'unset')}>
        Remove
      </button>
    </li>
  );
}
