import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createHouseApi } from '../client/house-api.ts';
import '../styles/house.css';
import { openHouse } from './house.ts';
import { HouseContext, useHouseState } from './house-context.ts';

/** Rules, the audit, people and what is kept, side by side. */
export default function SettingsPage() {
  const [house] = useState(() => openHouse(createHouseApi(document.baseURI)));
  useEffect(() => void house.loadTokens(), [house]);
  return (
    <HouseContext value={house}>
      <main className="settings">
        <header className="page-head">
          <h1>Settings</h1>
          <nav className="tabs" aria-label="Settings">
            <Link to="/settings/rules">Rules</Link>
            <Link to="/settings/audit">Audit</Link>
            <Link to="/settings/people">People</Link>
            <Link to="/settings/notifications">Notifications</Link>
            <Link to="/settings/data">Data</Link>
            <Link to="/usage">Usage</Link>
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
