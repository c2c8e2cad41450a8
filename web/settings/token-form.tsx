import { useState } from 'react';
import { Role } from '../../src/protocol/actor.ts';
import { useHouse } from './house-context.ts';
import { ROLES } from './roles.ts';

/** Gives somebody a token. */
export function TokenForm() {
  const house = useHouse();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('driver');
  const give = async () => {
    if (await house.addToken(name.trim(), role)) setName('');
  };
  return (
    <form className="token-form" aria-label="Give a token" action={give}>
      <label className="field">
        <span>Name</span>
        <input value={name} autoComplete="off" placeholder="anna" onChange={(event) => setName(event.target.value)} />
      </label>
      <label className="field">
        <span>Role</span>
        <select value={role} onChange={(event) => setRole(Role.parse(event.target.value))}>
          {Role.options.map((each) => (
            <option key={each} value={each}>
              {ROLES[each]}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button primary" disabled={name.trim() === ''}>
        Give a token
      </button>
    </form>
  );
}
