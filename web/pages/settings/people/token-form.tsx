import * as z from 'zod/mini';
import { Role } from '../../../../src/protocol/actor.ts';
import { useKept } from '../../../parts/common/use-kept.ts';
import { useHouse } from '../settings-context.ts';
import { ROLES } from './roles.ts';

const TokenWish = z.object({ name: z.string(), role: Role });
const NOBODY: z.infer<typeof TokenWish> = { name: '', role: 'driver' };

/** Gives somebody a token. */
export function TokenForm() {
  const house = useHouse();
  const [wish, setWish] = useKept('token', TokenWish, NOBODY);
  const { name, role } = wish;
  const give = async () => {
    if (await house.addToken(name.trim(), role)) setWish(NOBODY);
  };
  return (
    <form className="token-form" aria-label="Give a token" action={give}>
      <label className="field">
        <span>Name</span>
        <input value={name} autoComplete="off" placeholder="anna" onChange={(event) => setWish({ ...wish, name: event.target.value })} />
      </label>
      <label className="field">
        <span>Role</span>
        <select value={role} onChange={(event) => setWish({ ...wish, role: Role.parse(event.target.value) })}>
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
