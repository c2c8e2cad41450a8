import * as z from 'zod/mini';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Stored per browser: a phone and a wall display need different settings. */
const Appearance = z.object({
  theme: z._default(z.enum(['system', 'dark', 'light']), 'system'),
  density: z._default(z.enum(['compact', 'normal', 'roomy']), 'normal'),
  /** In percent. */
  text: z._default(z.enum(['90', '100', '115', '130', '150', '200']), '100'),
  motion: z._default(z.enum(['system', 'still']), 'system'),
  clock: z._default(z.enum(['24', '12']), '24'),
});
export type Appearance = z.infer<typeof Appearance>;

export interface AppearanceStore {
  readonly store: StoreApi<Appearance>;
  change(part: Partial<Appearance>): void;
  /** Another tab has changed it. */
  reread(): void;
}

const KEY = 'signalbox:appearance';
/** Where an earlier release stored the theme. */
const THEME_KEY = 'signalbox:theme';

type SettingsStorage = Pick<Storage, 'getItem' | 'setItem'>;

export function openAppearance(root: HTMLElement, storage: SettingsStorage): AppearanceStore {
  const store = createStore<Appearance>(() => read(storage));
  const show = () => showOn(root, store.getState());
  show();
  return {
    store,
    change: (part) => {
      store.setState(part);
      show();
      attempt(() => storage.setItem(KEY, JSON.stringify(store.getState())));
    },
    reread: () => {
      store.setState(read(storage));
      show();
    },
  };
}

/** Unreadable settings count as the defaults. */
function read(storage: SettingsStorage): Appearance {
  const stored = attempt(() => JSON.parse(storage.getItem(KEY) ?? 'null'));
  const parsed = Appearance.safeParse(stored ?? { theme: attempt(() => storage.getItem(THEME_KEY)) ?? undefined });
  return parsed.success ? parsed.data : Appearance.parse({});
}

/** The style sheet does the rest. Without `data-theme` it follows the system. */
function showOn(root: HTMLElement, { theme, density, text, motion, clock }: Appearance): void {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  Object.assign(root.dataset, { density, text, motion, clock });
}

/** Storage may be blocked or full: then the setting lasts until the page is closed. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
