import type { Planted } from '../../../../../src/protocol/api/finish.ts';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import type { FinishStore } from './finish-store.ts';

const CHANGES = { new: 'new', changed: 'changed', gone: 'gone' } as const;

interface PlantedNoticeProps {
  readonly finish: FinishStore;
  readonly planted: Planted;
  readonly mayConfirm: boolean;
}

/** What git would run or send to as the person, and that is not as it was before the agent started. */
export function PlantedNotice({ finish, planted, mayConfirm }: PlantedNoticeProps) {
  return (
    <section className="finish-planted" aria-label="Changed hooks and settings">
      <h3>Check these before git runs as you</h3>
      <p>
        {planted.startKnown
          ? 'These hooks and settings can run programs or name remotes, and they changed since this session started.'
          : 'These hooks and settings can run programs or name remotes. What they were when this session started is not known.'}
      </p>
      <ul>
        {planted.changes.map(({ name, change, text }) => (
          <li key={name}>
            <p>
              <code>
                <VisibleLine text={name} />
              </code>{' '}
              <span className="quiet">{CHANGES[change]}</span>
            </p>
            {text !== undefined && text !== '' && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
              <pre tabIndex={0}>
                <VisibleText text={text} />
              </pre>
            )}
          </li>
        ))}
      </ul>
      <button type="button" className="button primary" disabled={!mayConfirm} onClick={() => void finish.act(() => finish.api.trust(planted.sha256))}>
        I know these
      </button>
    </section>
  );
}
