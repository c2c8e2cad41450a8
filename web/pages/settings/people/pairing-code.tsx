import { useState } from 'react';
import { renderSVG } from 'uqr';
import { type DeviceAddress, pairingAddress } from '../../../../src/protocol/api/outside/devices.ts';
import { CopyButton } from '../../../parts/common/copy-button.tsx';
import { useSettings } from '../settings-context.ts';
import type { SettingsState } from '../settings-store.ts';

const isThisMachine = (host: string): boolean => /^(localhost|127\.|\[::1\])/.test(host);

/** Where this page was opened from elsewhere works for other devices too. */
function addressesOf(found: readonly DeviceAddress[]): readonly DeviceAddress[] {
  const here = new URL('.', document.baseURI);
  if (isThisMachine(here.hostname) || found.some(({ url }) => new URL(url).host === here.host)) return found;
  return [{ url: here.href, kind: here.protocol === 'https:' ? 'https' : 'local' }, ...found];
}

/** The code to scan, and the same as text. */
export default function PairingCode({ pairing }: { readonly pairing: NonNullable<SettingsState['pairing']> }) {
  const settings = useSettings();
  const addresses = addressesOf(pairing.addresses);
  const [chosen, setChosen] = useState(addresses[0]?.url);
  const address = addresses.find(({ url }) => url === chosen);
  return (
    <section className="new-secret pairing" role="status" aria-label={`Code for ${pairing.name}`}>
      {address === undefined ? <OnlyThisMachine /> : <Scan address={address} code={pairing.code} />}
      {addresses.length > 1 && (
        <label className="field">
          <span>Address</span>
          <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {addresses.map(({ url, kind }) => (
              <option key={url} value={url}>
                {`${url} (${KINDS[kind]})`}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" className="button" onClick={() => void settings.endPairing()}>
        Done
      </button>
    </section>
  );
}

const KINDS: Readonly<Record<DeviceAddress['kind'], string>> = { https: 'encrypted', vpn: 'private network', local: 'not encrypted' };

function Scan({ address, code }: { readonly address: DeviceAddress; readonly code: string }) {
  const link = pairingAddress(address.url, code);
  return (
    <>
      <p>
        Scan this with the device, or open <code>{`${address.url.replace(/\/?$/, '/')}pair`}</code> there and enter{' '}
        <strong className="pairing-letters">{code}</strong>. The code works once, for 10 minutes.
      </p>
      <img
        className="pairing-picture"
        alt="QR code of the address for this device"
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`}
      />
      <p className="secret-line">
        <code>{link}</code>
        <CopyButton text={link} />
      </p>
      {address.kind === 'local' && (
        <p className="form-problem">
          This address is not encrypted: others on the same network can read everything, and notifications don’t work. Use it only on a network you trust, or
          set up https.
        </p>
      )}
    </>
  );
}

const OnlyThisMachine = () => (
  <p>
    Signalbox listens on this machine only, so no other device can reach it. Start it with <code>--public-url</code> behind a TLS proxy or VPN, or with{' '}
    <code>--host 0.0.0.0</code> and <code>--tls-cert</code>, then add the device.
  </p>
);
