import type { PushSettings } from '../../../../src/protocol/api/outside/push.ts';
import { countText } from '../../../base/text/format.ts';
import { Ago } from '../../../parts/common/ago.tsx';
import { usePush } from '../../../parts/session-actions/use-push.ts';
import { QuietFields } from './quiet-fields.tsx';

const KINDS: readonly (readonly [keyof Pick<PushSettings, 'waiting' | 'finished' | 'failed'>, string])[] = [
  ['waiting', 'An agent needs me'],
  ['finished', 'A turn finished'],
  ['failed', 'A turn or an agent failed'],
];

/** Push notifications: in which browsers, about what, and quiet hours. */
export function NotificationsTab() {
  const [, { state, problem }] = usePush();
  return (
    <section className="data-tab" aria-label="Notifications">
      {problem !== undefined && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      <ThisBrowser />
      {state !== undefined && <NotifyAbout settings={state.settings} />}
      {state !== undefined && state.devices.length > 0 && <Devices />}
    </section>
  );
}

function ThisBrowser() {
  const [push, { obstacle, isHere, isBusy }] = usePush();
  return (
    <section className="data-part" aria-label="This browser">
      <h2>This browser</h2>
      <p>Get a notification here when something needs you and no Signalbox tab is visible. Only this browser can read it.</p>
      {obstacle !== undefined && isHere !== true && <p className="quiet">{obstacle}</p>}
      {obstacle === undefined && isHere === false && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void push.switchOn()}>
          Notify me here
        </button>
      )}
      {isHere === true && (
        <button type="button" className="button plain" disabled={isBusy} onClick={() => void push.switchOff()}>
          Stop notifying me here
        </button>
      )}
    </section>
  );
}

function NotifyAbout({ settings }: { readonly settings: PushSettings }) {
  const [push] = usePush();
  return (
    <section className="data-part" aria-label="Notify me about">
      <h2>Notify me about</h2>
      {KINDS.map(([kind, label]) => (
        <label key={kind} className="check">
          <input type="checkbox" checked={settings[kind]} onChange={(event) => void push.settle({ [kind]: event.target.checked })} />
          {label}
        </label>
      ))}
      <label className="check">
        <input type="checkbox" checked={settings.of === 'all'} onChange={(event) => void push.settle({ of: event.target.checked ? 'all' : 'mine' })} />
        Also sessions started by others
      </label>
      <QuietFields quiet={settings.quiet} />
      {settings.muted.length > 0 && <p className="quiet">{countText(settings.muted.length, 'session')} muted. To unmute one, use its menu.</p>}
    </section>
  );
}

function Devices() {
  const [push, { state, isBusy }] = usePush();
  return (
    <section className="data-part" aria-label="Your browsers">
      <h2>Your browsers</h2>
      <ul className="token-list">
        {state?.devices.map((device) => (
          <li key={device.id} className="token-row">
            <p>
              <strong>{device.device}</strong>{' '}
              <span className="quiet">
                since <Ago at={device.since} />
              </span>
            </p>
            {device.problem !== undefined && <p className="form-problem">{device.problem}</p>}
            <button type="button" className="button plain" disabled={isBusy} onClick={() => void push.forget(device.id)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button plain" disabled={isBusy} onClick={() => void push.test()}>
        Send a test
      </button>
    </section>
  );
}
