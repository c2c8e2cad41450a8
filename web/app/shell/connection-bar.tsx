import { Unplug } from 'lucide-react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { connectionText } from './connection-text.ts';

/** Appears as soon as the page may show old data. */
export function ConnectionBar() {
  const cockpit = useCockpit();
  const text = useApp((state) => {
    const message = connectionText(state);
    return message.isWell ? '' : message.text;
  });
  const canTry = useApp((state) => state.phase.name === 'waiting');
  return (
    <div className="connection-bar" role="status">
      {text !== '' && (
        <p>
          <Unplug size={14} aria-hidden="true" />
          <span>{text}</span>
          {canTry && (
            <button type="button" className="text-button" onClick={() => cockpit.nudge()}>
              Try now
            </button>
          )}
          <OtherMachines />
        </p>
      )}
    </div>
  );
}

/** The machine behind this page may be gone for long: others show the same sessions. */
function OtherMachines() {
  const machines = useApp((state) => state.machines);
  const others = (machines?.nodes ?? []).flatMap(({ state, facts }) =>
    state === 'reachable' && facts?.url !== undefined ? [{ name: facts.hostname, url: facts.url }] : [],
  );
  if (others.length === 0) return null;
  return (
    <span className="other-machines">
      Open on{' '}
      {others.map(({ name, url }) => (
        <a key={url} className="text-button" href={new URL(location.pathname.split('/').slice(-2).join('/'), `${url.replace(/\/?$/, '/')}`).href}>
          {name}
        </a>
      ))}
    </span>
  );
}
