import { useApp, useCockpit } from '../../../store/cockpit-context.ts';

/** What the panel has to say when it cannot draw, or has nothing to draw. */
export function PanelNote({ isEmpty }: { readonly isEmpty: boolean }) {
  const cockpit = useCockpit();
  const { phase, problem } = useApp((state) => state.panel);
  if (phase === 'failed') {
    return (
      <p className="panel-note" role="status">
        What the lines did before could not be fetched: {problem} From now on they are drawn as they move.{' '}
        <button type="button" className="text-button" onClick={() => void cockpit.loadPanel()}>
          Try again
        </button>
      </p>
    );
  }
  if (!isEmpty) return null;
  return (
    <p className="panel-note">{phase === 'known' ? 'No line moved in this time. The next message sets one in motion.' : 'Asking the server what moved…'}</p>
  );
}
