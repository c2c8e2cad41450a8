import type { StoreContext } from '../state/store-context.ts';

export interface RecapActions {
  /** A page of this browser is visible again: the deck says what happened since it last was, if that is long ago. */
  arrived(): Promise<void>;
  /** A page is visible, or was until now. */
  notePresence(): void;
  dismissRecap(): void;
}

export const recapActions = ({ store, options: { api, presence } }: StoreContext): RecapActions => ({
  arrived: async () => {
    const absence = presence?.arrive();
    if (absence === undefined) return;
    // Without an answer there is no recap; the next visit asks again.
    const recap = await api.recap(absence.since, absence.until).catch(() => undefined);
    if (recap !== undefined) store.setState({ recap: { ...recap, until: absence.until } });
  },
  notePresence: () => presence?.note(),
  dismissRecap: () => {
    presence?.dismiss();
    store.setState({ recap: undefined });
  },
});
