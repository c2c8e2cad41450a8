import { CopyButton } from '../../../parts/common/copy-button.tsx';
import { useHouse, useHouseState } from '../settings-context.ts';

/** The secret of a new token: now or never. */
export function NewSecret() {
  const house = useHouse();
  const secret = useHouseState((state) => state.secret);
  if (secret === undefined) return null;
  const address = `${new URL('.', document.baseURI).href}?token=${secret.token}`;
  return (
    <section className="new-secret" role="status">
      <p>
        <strong>{`The token of ${secret.name}, shown this once.`}</strong> Give them this address; it opens Signalbox in their browser:
      </p>
      <p className="secret-line">
        <code>{address}</code>
        <CopyButton text={address} />
      </p>
      <button type="button" className="button" onClick={() => house.forgetSecret()}>
        I have it
      </button>
    </section>
  );
}
