import type { PushSettings } from '../../../../src/protocol/api/push.ts';
import { countText } from '../../../base/words/words.ts';
import { Ago } from '../../../parts/common/ago.tsx';
import { usePush } from '../../../parts/session-actions/use-push.ts';
import { QuietFields } from './quiet-fields.tsx';

const KINDS: readonly (readonly [keyof Pick<PushSettings, 'waiting' | 'finished' | 'failed'>, string])[] = [
  ['waiting', 'An agent waits for me'],
  ['finished', 'A turn has finished'],
  ['failed', 'A turn or an agent has failed'],
];

/** How a person is told when no page is open: where, of what, and when not. */
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
      {state !== undefined && <OfWhat settings={state.settings} />}
      {state !== undefined && state.devices.length > 0 && <Devices />}
    </section>
  );
}

function ThisBrowser() {
  const [push, { obstacle, isHere, isBusy }] = usePush();
  return (
    <section className="data-part" aria-label="This browser">
      <h2>This browser</h2>
      <p>You are told here when something needs you and no page of Signalbox is in sight. What is sent can be read by this browser alone.</p>
      {obstacle !== undefined && isHere !== true && <p className="quiet">{obstacle}</p>}
      {obstacle === undefined && isHere === false && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void push.switchOn()}>
          Notify me here
        </button>
      )}
      {isHere === true && (
        <button type="button" className="button plain" disabled={isBusy} onClick={() => void push.switchOff()}>
          Stop here
        </button>
      )}
    </section>
  );
}

function OfWhat({ settings }: { readonly settings: PushSettings }) {
  const [push] = usePush();
  return (
    <section className="data-part" aria-label="Of what">
      <h2>Of what</h2>
      {KINDS.map(([kind, words]) => (
        <label key={kind} className="check">
          <input type="checkbox" checked={settings[kind]} onChange={(event) => void push.settle({ [kind]: event.target.checked })} />
          {words}
        </label>
      ))}
      <label className="check">
        <input type="checkbox" checked={settings.of === 'all'} onChange={(event) => void push.settle({ of: event.target.checked ? 'all' : 'mine' })} />
        Also in sessions that others have begun
      </label>
      <QuietFields quiet={settings.quiet} />
      {settings.muted.length > 0 && (
        <p className="quiet">{countText(settings.muted.length, 'session is', 'sessions are')} muted; each can be heard again in its menu.</p>
      )}
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
              Take away
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button plain" disabled={isBusy} onClick={() => void push.test()}>
        Send a trial message
      </button>
    </section>
  );
}
