import * as z from 'zod/mini';
import { Role } from '../../../../src/protocol/actor.ts';
import { useFormDraft } from '../../../parts/common/use-form-draft.ts';
import { useSettings } from '../settings-context.ts';
import { ROLES } from './roles.ts';

const TokenDraft = z.object({ name: z.string(), role: Role });
const EMPTY_DRAFT: z.infer<typeof TokenDraft> = { name: '', role: 'driver' };

/** Creates a token for somebody. */
export function TokenForm() {
  const settings = useSettings();
  const [draft, setDraft] = useFormDraft('token', TokenDraft, EMPTY_DRAFT);
  const { name, role } = draft;
  const create = async () => {
    if (await settings.addToken(name.trim(), role)) setDraft(EMPTY_DRAFT);
  };
  return (
    <form className="token-form" aria-label="Create token" action={create}>
      <label className="field">
        <span>Name</span>
        <input value={name} autoComplete="off" placeholder="anna" onChange={(event) => setDraft({ ...draft, name: event.target.value })} />
      </label>
      <label className="field">
        <span>Role</span>
        <select value={role} onChange={(event) => setDraft({ ...draft, role: Role.parse(event.target.value) })}>
          {Role.options.map((each) => (
            <option key={each} value={each}>
              {ROLES[each]}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button primary" disabled={name.trim() === ''}>
        Create token
      </button>
    </form>
  );
}
