import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { Ago } from '../common/ago.tsx';

/** Another program holds the conversation: two must never write one, so a person decides who goes on. */
export function DriverBar({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const driver = useApp((state) => state.sessions.get(sessionId)?.driver);
  if (driver === undefined) return null;
  return (
    <section className="limit-bar" aria-label="Held elsewhere">
      <span>
        Held by {driver.what ?? 'another program'} (process {driver.pid}
        {driver.since !== undefined && (
          <>
            , since <Ago at={driver.since} />
          </>
        )}
        ). You can watch; what you send waits here.
      </span>
      <button type="button" className="button" onClick={() => void cockpit.takeOver(sessionId)}>
        Take over
      </button>
    </section>
  );
}
