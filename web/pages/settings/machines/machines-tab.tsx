import { useEffect, useState } from 'react';
import type { Machine, MachineList } from '../../../../src/protocol/api/machines.ts';
import { countText, momentText } from '../../../base/text/format.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { useSettings, useSettingsState } from '../settings-context.ts';

/** The machines of the cluster: which can be reached, since when others are gone, and what each shares. */
export function MachinesTab() {
  const machines = useApp((state) => state.machines);
  return (
    <section aria-label="Machines">
      <div className="section-head">
        <p>{introOf(machines)}</p>
      </div>
      {machines !== undefined && (
        <ul className="machines">
          {machines.nodes.map((machine) => (
            <MachineRow key={machine.id} machine={machine} />
          ))}
        </ul>
      )}
      {(machines?.ignoredFrames ?? 0) > 0 && (
        <p className="quiet">{countText(machines?.ignoredFrames ?? 0, 'frame')} ignored: not sealed for this server with your cluster key, or seen before.</p>
      )}
    </section>
  );
}

function introOf(machines: MachineList | undefined): string {
  switch (machines?.cluster) {
    case undefined:
    case 'off':
      return 'This server runs alone. Set SIGNALBOX_REDIS_URL and SIGNALBOX_CLUSTER_KEY on several machines to see and steer all their sessions from any of them.';
    case 'joining':
      return 'Connecting to the other machines…';
    case 'joined':
      return `Sessions of all these machines are in your lists. Cluster: ${machines?.name ?? 'default'}`;
    case 'unreachable':
      return 'Other machines are unreachable, because Redis is. Sessions of this machine are not affected.';
    case 'superseded':
      return 'A copy of this server’s data folder joined later, so this one works alone.';
  }
}

const STATES: Readonly<Record<Machine['state'], string>> = {
  here: 'This machine',
  reachable: 'Reachable',
  gone: 'Offline',
  'other-key': 'Has another cluster key',
  'needs-update': 'Needs an update',
  unreachable: 'Unknown: Redis can’t be reached',
};

function MachineRow({ machine: { id, state, since, facts, sessions } }: { readonly machine: Machine }) {
  const isOwner = useSettingsState(({ isOwner: is }) => is);
  return (
    <li className="machine">
      <span className="machine-title">
        {facts?.url === undefined || state === 'here' ? (facts?.hostname ?? id.slice(0, 8)) : <a href={facts.url}>{facts.hostname}</a>}
      </span>
      <span className={`machine-state ${state}`}>
        {STATES[state]}
        {since !== undefined && `, last seen ${momentText(since)}`}
      </span>
      <span className="quiet machine-facts">
        {facts !== undefined && `${facts.version} · ${facts.platform} · ${facts.live} of ${facts.maxLive} running · `}
        {countText(sessions, 'session')}
        {facts !== undefined && ` · others can act as ${facts.clusterRole}`}
      </span>
      {isOwner === true && state === 'gone' && <ForgetButton id={id} name={facts?.hostname ?? id} />}
    </li>
  );
}

/** Asks once more, in place. */
function ForgetButton({ id, name }: { readonly id: string; readonly name: string }) {
  const settings = useSettings();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => () => setAsking(false), []);
  if (!isAsking) {
    return (
      <button type="button" className="text-button" onClick={() => setAsking(true)}>
        Forget…
      </button>
    );
  }
  return (
    <span>
      Its sessions leave your lists.{' '}
      <button type="button" className="text-button" onClick={() => void settings.forgetMachine(id)}>
        Forget {name}
      </button>{' '}
      <button type="button" className="text-button" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  );
}
