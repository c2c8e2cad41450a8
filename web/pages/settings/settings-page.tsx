import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { createHouseApi } from '../../client/http/settings-api.ts';
import './settings-page.css';
import { HouseContext, useHouseState } from './settings-context.ts';
import { openHouse } from './settings-store.ts';
import { TABS } from './tabs.ts';

/** What belongs to no session, one page each. */
export default function SettingsPage() {
  const [house] = useState(() => openHouse(createHouseApi(document.baseURI)));
  const tabs = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => void house.loadTokens(), [house]);
  // Where they do not all fit, the one that is open is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another tab
  useEffect(() => void tabs.current?.querySelector('.active')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }), [path]);
  return (
    <HouseContext value={house}>
      <main className="settings">
        <header className="page-head">
          <h1>Settings</h1>
          <nav ref={tabs} className="tabs" aria-label="Settings">
            {TABS.map(({ to, name }) => (
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
    </HouseContext>
  );
}

function Problem() {
  const problem = useHouseState((state) => state.problem);
  return <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>;
}
