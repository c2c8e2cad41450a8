import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { createSettingsApi } from '../../client/http/settings-api.ts';
import './settings-page.css';
import { SettingsContext, useSettingsState } from './settings-context.ts';
import { openSettings } from './settings-store.ts';
import { SETTINGS_TABS } from './settings-tabs.ts';

/** The settings, one tab each. */
export default function SettingsPage() {
  const [settings] = useState(() => openSettings(createSettingsApi(document.baseURI)));
  const tabs = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => void settings.loadTokens(), [settings]);
  // Where not all tabs fit, the open one stays in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the tab changes
  useEffect(() => void tabs.current?.querySelector('.active')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }), [path]);
  return (
    <SettingsContext value={settings}>
      <main className="settings">
        <header className="page-head">
          <h1>Settings</h1>
          <nav ref={tabs} className="tabs" aria-label="Settings">
            {SETTINGS_TABS.map(({ to, name }) => (
              <Link key={to} to={to}>
                {name}
              </Link>
            ))}
          </nav>
        </header>
        <div className="settings-body">
          <Problem />
          <Outlet />
        </div>
      </main>
    </SettingsContext>
  );
}

function Problem() {
  const problem = useSettingsState((state) => state.problem);
  return <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>;
}
