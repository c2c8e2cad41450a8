import * as z from 'zod/mini';
import { Role } from '../../../../src/protocol/actor.ts';
import { useFormDraft } from '../../../parts/common/use-form-draft.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { useSettings } from '../settings-context.ts';
import { ROLES } from './roles.ts';

const DeviceDraft = z.object({ name: z.string(), role: z.optional(Role) });

/** Asks for a code. A device can do at most what its person can. */
export function DeviceForm() {
  const settings = useSettings();
  const own = useApp((state) => state.you)?.role ?? 'viewer';
  const [{ name, role = own }, setDraft] = useFormDraft('device', DeviceDraft, { name: '' });
  const create = async () => {
    if (await settings.addDevice(name.trim(), role)) setDraft({ name: '' });
  };
  return (
    <form className="token-form" aria-label="Add a device" action={create}>
      <label className="field">
        <span>Device</span>
        <input value={name} maxLength={64} autoComplete="off" placeholder="My phone" onChange={(event) => setDraft({ name: event.target.value, role })} />
      </label>
      <label className="field">
        <span>It can</span>
        <select value={role} onChange={(event) => setDraft({ name, role: Role.parse(event.target.value) })}>
          {Role.options.slice(0, Role.options.indexOf(own) + 1).map((each) => (
            <option key={each} value={each}>
              {ROLES[each]}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button" disabled={name.trim() === ''}>
        Add a device
      </button>
    </form>
  );
}
