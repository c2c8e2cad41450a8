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
        </p>
      )}
    </div>
  );
}
