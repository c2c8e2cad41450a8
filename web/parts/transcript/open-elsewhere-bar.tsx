import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { Ago } from '../common/ago.tsx';

/** Another program has the conversation open. Two programs must never write to one conversation, so a person decides who continues. */
export function OpenElsewhereBar({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const driver = useApp((state) => state.sessions.get(sessionId)?.driver);
  if (driver === undefined) return null;
  return (
    <section className="limit-bar" aria-label="Open in another program">
      <span>
        Open in {driver.what ?? 'another program'}
        {driver.since !== undefined && (
          <>
            {' '}
            (<Ago at={driver.since} />)
          </>
        )}
        . You can watch; your messages wait here.
      </span>
      <button type="button" className="button" onClick={() => void cockpit.takeOver(sessionId)}>
        Take over
      </button>
    </section>
  );
}
