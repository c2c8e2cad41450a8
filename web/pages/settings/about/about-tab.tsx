import { useEffect } from 'react';
import { momentText } from '../../../base/words/words.ts';
import { DownloadLink } from '../../../parts/common/download-link.tsx';
import { useHouse, useHouseState } from '../settings-context.ts';
import { LICENCES } from './licenses.ts';

/** Which program this is, where it runs, and whose work is in it. */
export function AboutTab() {
  const house = useHouse();
  const about = useHouseState((state) => state.about);
  useEffect(() => void house.loadAbout(), [house]);
  return (
    <section aria-label="About">
      <div className="section-head">
        <p>Signalbox holds coding agents on your own machine. Nothing is sent anywhere else.</p>
      </div>
      {about !== undefined && (
        <dl className="facts">
          <Fact name="Version" value={about.version} />
          <Fact name="Node" value={about.node} />
          <Fact name="Machine" value={`${about.hostname}, ${about.platform}`} />
          <Fact name="Since" value={momentText(about.startedAt)} />
          {about.dataFolder !== undefined && <Fact name="Data folder" value={about.dataFolder} />}
        </dl>
      )}
      <p>
        <DownloadLink path="openapi.json" className="text-button">
          What the server can be asked (OpenAPI)
        </DownloadLink>
      </p>
      <h2 className="about-head">Licences</h2>
      <p className="quiet">Signalbox is under the MIT licence. It carries the work of others:</p>
      <ul className="licences">
        {LICENCES.map(({ name, licence }) => (
          <li key={name}>
            {name} <span className="quiet">{licence}</span>
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
