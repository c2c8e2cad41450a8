import * as z from 'zod/mini';
import { useFormDraft } from '../../../parts/common/use-form-draft.ts';

const Draft = z.object({ url: z.string(), events: z.string() });
const EMPTY: z.infer<typeof Draft> = { url: '', events: 'permission.requested, turn.completed' };

interface WebhookFormProps {
  /** True on success. */
  readonly add: (url: string, events: readonly string[]) => Promise<boolean>;
}

/** Adds a webhook. */
export function WebhookForm({ add }: WebhookFormProps) {
  const [draft, setDraft] = useFormDraft('webhook', Draft, EMPTY);
  const create = async () => {
    const events = draft.events.split(/[\s,]+/).filter((event) => event !== '');
    if (await add(draft.url.trim(), events)) setDraft(EMPTY);
  };
  return (
    <form className="token-form" aria-label="Add webhook" action={create}>
      <label className="field">
        <span>Address</span>
        <input
          value={draft.url}
          inputMode="url"
          autoComplete="off"
          placeholder="https://…"
          onChange={(event) => setDraft({ ...draft, url: event.target.value })}
        />
      </label>
      <label className="field">
        <span>Events (* for all)</span>
        <input value={draft.events} autoComplete="off" onChange={(event) => setDraft({ ...draft, events: event.target.value })} />
      </label>
      <button type="submit" className="button primary" disabled={draft.url.trim() === '' || draft.events.trim() === ''}>
        Add webhook
      </button>
    </form>
  );
}
