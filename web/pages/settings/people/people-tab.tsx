import type { KnownToken } from '../../../../src/protocol/http.ts';
import { ConfirmButton } from '../../../base/ui/confirm-button.tsx';
import { Ago } from '../../../parts/common/ago.tsx';
import { useSettings, useSettingsState } from '../settings-context.ts';
import { Devices } from './devices.tsx';
import { NewSecret } from './new-secret.tsx';
import { ROLES } from './roles.ts';
import { SignedInAs } from './signed-in-as.tsx';
import { TokenForm } from './token-form.tsx';

/** Who can sign in, and what they can do. */
export function PeopleTab() {
  return (
    <>
      <SignedInAs />
      <Devices />
      <People />
    </>
  );
}

function People() {
  const tokens = useSettingsState((state) => state.tokens);
  const isOwner = useSettingsState((state) => state.isOwner);
  if (isOwner === false) return <p className="quiet">Only an owner of this server can see who has a token.</p>;
  if (tokens === undefined) return null;
  return (
    <section aria-label="People">
      <div className="section-head">
        <p>Everyone signs in with their own token; the log shows who did what.</p>
      </div>
      <NewSecret />
      <TokenForm />
      <ul className="token-list">
        {tokens.filter(isPerson).map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    </section>
  );
}

/** Devices are listed with their person. */
const isPerson = ({ person }: KnownToken): boolean => person === undefined;

function TokenRow({ token }: { readonly token: KnownToken }) {
  const settings = useSettings();
  const isFirst = token.createdAt === undefined;
  return (
    <li className="token-row">
      <p>
        <strong>{token.name}</strong> <span className="quiet">{ROLES[token.role]}</span>
      </p>
      <p className="rule-facts">
        {isFirst ? 'the server owner’s token' : 'created '}
        {token.createdAt !== undefined && <Ago at={token.createdAt} />}
        {' · '}
        {token.lastUsedAt === undefined ? 'never used' : 'last used '}
        {token.lastUsedAt !== undefined && <Ago at={token.lastUsedAt} />}
      </p>
      {!isFirst && (
        <ConfirmButton label="Revoke" question={`This signs ${token.name} out everywhere.`} onConfirm={() => void settings.revokeToken(token.name)} />
      )}
    </li>
  );
}
