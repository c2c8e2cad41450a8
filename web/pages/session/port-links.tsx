import { ExternalLink } from 'lucide-react';
import type { SessionPort } from '../../../src/protocol/session.ts';
import { portAddress } from './port-address.ts';

/** What the session's processes listen on, such as a dev server. The browser connects by itself: nothing goes through Signalbox. */
export function PortLinks({ ports }: { readonly ports: readonly SessionPort[] }) {
  return ports.map(({ port, address, program }) => {
    const { shown, url } = portAddress(port, address, location.hostname);
    const title = url === undefined ? `${program} listens on ${shown}, which only the server's own machine can open` : `Open what ${program} serves`;
    return url === undefined ? (
      <span key={shown} className="chip chip-port" title={title}>
        {shown}
        <span className="unseen">, only on the server's machine</span>
      </span>
    ) : (
      <a key={shown} className="chip chip-port" href={url} title={title} target="_blank" rel="noopener noreferrer">
        <span className="unseen">Open </span>
        {shown}
        <ExternalLink size={13} aria-hidden="true" />
      </a>
    );
  });
}
