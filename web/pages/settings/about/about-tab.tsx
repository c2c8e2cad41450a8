import { useEffect } from 'react';
import { momentText } from '../../../base/text/format.ts';
import { DownloadLink } from '../../../parts/common/download-link.tsx';
import { useSettings, useSettingsState } from '../settings-context.ts';
import { LICENSES } from './licenses.ts';

/** Version, machine and licenses. */
export function AboutTab() {
  const settings = useSettings();
  const about = useSettingsState((state) => state.about);
  useEffect(() => void settings.loadAbout(), [settings]);
  return (
    <section aria-label="About">
      <div className="section-head">
        <p>Signalbox runs coding agents on your own machine. Nothing is sent anywhere else.</p>
      </div>
      {about !== undefined && (
        <dl className="facts">
          <Fact name="Version" value={about.version} />
          <Fact name="Node" value={about.node} />
          <Fact name="Machine" value={`${about.hostname}, ${about.platform}`} />
          <Fact name="Running since" value={momentText(about.startedAt)} />
          {about.dataFolder !== undefined && <Fact name="Data folder" value={about.dataFolder} />}
        </dl>
      )}
      <p>
        <DownloadLink path="openapi.json" className="text-button">
          API reference (OpenAPI)
        </DownloadLink>
      </p>
      <h2 className="about-head">Licenses</h2>
      <p className="quiet">Signalbox is under the MIT license. It includes:</p>
      <ul className="licences">
        {LICENSES.map(({ name, license }) => (
          <li key={name}>
            {name} <span className="quiet">{license}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
