import { useApp, useCockpit } from '../../../store/cockpit-context.ts';

/** The message of a panel that failed to load or is empty. */
export function PanelNote({ isEmpty }: { readonly isEmpty: boolean }) {
  const cockpit = useCockpit();
  const { phase, problem } = useApp((state) => state.panel);
  if (phase === 'failed') {
    return (
      <p className="panel-note" role="status">
        Can’t load past activity: {problem} New activity still appears.{' '}
        <button type="button" className="text-button" onClick={() => void cockpit.loadPanel()}>
          Try again
        </button>
      </p>
    );
  }
  if (!isEmpty) return null;
  return <p className="panel-note">{phase === 'known' ? 'No activity in this period.' : 'Loading…'}</p>;
}
