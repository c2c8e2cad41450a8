import type { QuietHours } from '../../../../src/protocol/api/outside/push.ts';
import { usePush } from '../../../parts/session-actions/use-push.ts';

const NIGHT = { from: '22:00', to: '07:00' };

/** Hours without notifications. Pending requests are still in the inbox. */
export function QuietFields({ quiet }: { readonly quiet: QuietHours | undefined }) {
  const [push] = usePush();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const set = (change: Partial<QuietHours>) => void push.settle({ quiet: { ...NIGHT, timeZone: here, ...quiet, ...change } });
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={quiet !== undefined} onChange={(event) => (event.target.checked ? set({}) : void push.settle({ quiet: null }))} />
        Quiet hours
      </label>
      {quiet !== undefined && (
        <p className="quiet-hours">
          <label>
            From <input type="time" value={quiet.from} required onChange={(event) => event.target.value !== '' && set({ from: event.target.value })} />
          </label>
          <label>
            to <input type="time" value={quiet.to} required onChange={(event) => event.target.value !== '' && set({ to: event.target.value })} />
          </label>
          <span className="quiet">in {quiet.timeZone}</span>
        </p>
      )}
    </>
  );
}
