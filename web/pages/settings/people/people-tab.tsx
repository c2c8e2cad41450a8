import type { KnownToken } from '../../../../src/protocol/http.ts';
import { Ago } from '../../../parts/common/ago.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { useHouse, useHouseState } from '../settings-context.ts';
import { NewSecret } from './new-secret.tsx';
import { ROLES } from './roles.ts';
import { SignedInAs } from './signed-in-as.tsx';
import { TokenForm } from './token-form.tsx';

/** Who may come in, and what they may do. */
export function PeopleTab() {
  return (
    <>
      <SignedInAs />
      <People />
    </>
  );
}

function People() {
  const tokens = useHouseState((state) => state.tokens);
  const isOwner = useHouseState((state) => state.isOwner);
  if (isOwner === false) return <p className="quiet">Only an owner of this server sees who has a token.</p>;
  if (tokens === undefined) return null;
  return (
    <section aria-label="People">
      <div className="section-head">
        <p>Everybody comes in with a token of their own: what they decide is kept under its name.</p>
      </div>
      <NewSecret />
      <TokenForm />
      <ul className="token-list">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    </section>
  );
}

function TokenRow({ token }: { readonly token: KnownToken }) {
  const house = useHouse();
  const isFirst = token.createdAt === undefined;
  return (
    <li className="token-row">
      <p>
        <strong>{token.name}</strong> <span className="quiet">{ROLES[token.role]}</span>
      </p>
      <p className="rule-facts">
        {isFirst ? 'the token of the server’s own owner' : 'given '}
        {token.createdAt !== undefined && <Ago at={token.createdAt} />}
        {' · '}
        {token.lastUsedAt === undefined ? 'never used' : 'last used '}
        {token.lastUsedAt !== undefined && <Ago at={token.lastUsedAt} />}
      </p>
      {!isFirst && (
        <ConfirmButton label="Revoke" question={`${token.name} is out at once, open pages included.`} onConfirm={() => void house.revokeToken(token.name)} />
      )}
    </li>
  );
}
