import { useEffect } from 'react';
import type { Device } from '../../../../src/protocol/api/outside/devices.ts';
import { lazily } from '../../../base/browser/lazily.ts';
import { ConfirmButton } from '../../../base/ui/confirm-button.tsx';
import { Ago } from '../../../parts/common/ago.tsx';
import { useSettings, useSettingsState } from '../settings-context.ts';
import { DeviceForm } from './device-form.tsx';
import { ROLES } from './roles.ts';

const PairingCode = lazily(() => import('./pairing-code.tsx'));

/** The phones and other browsers of the person who is signed in. */
export function Devices() {
  const settings = useSettings();
  const devices = useSettingsState((state) => state.devices);
  const pairing = useSettingsState((state) => state.pairing);
  useEffect(() => void settings.loadDevices(), [settings]);
  return (
    <section className="devices" aria-label="Your devices">
      <div className="section-head">
        <p>Your phone and other devices sign in with a one-time code and act in your name.</p>
      </div>
      {pairing === undefined ? <DeviceForm /> : <PairingCode pairing={pairing} />}
      {devices !== undefined && devices.length > 0 && (
        <ul className="token-list">
          {devices.map((device) => (
            <DeviceRow key={device.name} device={device} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DeviceRow({ device: { name, role, createdAt, lastUsedAt } }: { readonly device: Device }) {
  const settings = useSettings();
  return (
    <li className="token-row">
      <p>
        <strong>{name}</strong> <span className="quiet">{ROLES[role]}</span>
      </p>
      <p className="rule-facts">
        {createdAt !== undefined && (
          <>
            added <Ago at={createdAt} />
          </>
        )}
        {' · '}
        {lastUsedAt === undefined ? 'never used' : 'last used '}
        {lastUsedAt !== undefined && <Ago at={lastUsedAt} />}
      </p>
      <ConfirmButton label="Remove" question={`This signs ${name} out.`} onConfirm={() => void settings.revokeDevice(name)} />
    </li>
  );
}
