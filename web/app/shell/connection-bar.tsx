import { Unplug } from 'lucide-react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { connectionWords } from './connection-words.ts';

/** Said in words as soon as what is shown may be old. */
export function ConnectionBar() {
  const cockpit = useCockpit();
  const text = useApp((state) => {
    const words = connectionWords(state);
    return words.isWell ? '' : words.text;
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
