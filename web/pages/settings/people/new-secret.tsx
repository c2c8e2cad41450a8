import { CopyButton } from '../../../parts/common/copy-button.tsx';
import { useSettings, useSettingsState } from '../settings-context.ts';

/** The secret of a new token, shown only once. */
export function NewSecret() {
  const settings = useSettings();
  const secret = useSettingsState((state) => state.secret);
  if (secret === undefined) return null;
  const address = `${new URL('.', document.baseURI).href}?token=${secret.token}`;
  return (
    <section className="new-secret" role="status">
      <p>
        <strong>{`Token for ${secret.name}, shown only once.`}</strong> Send them this address; it opens Signalbox in their browser:
      </p>
      <p className="secret-line">
        <code>{address}</code>
        <CopyButton text={address} />
      </p>
      <button type="button" className="button" onClick={() => settings.forgetSecret()}>
        Done
      </button>
    </section>
  );
}
