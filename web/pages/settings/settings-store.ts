import type * as z from 'zod/mini';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Role } from '../../../src/protocol/actor.ts';
import type { KeptState } from '../../../src/protocol/api/archive.ts';
import type { AuditEntry } from '../../../src/protocol/api/audit.ts';
import type { Device, NewDevice } from '../../../src/protocol/api/outside/devices.ts';
import type { About, CreateRuleBody, KnownToken, MachineNow, ResetPreferenceList } from '../../../src/protocol/http.ts';
import type { RuleBody, RuleInUse, RuleScope, RuleTest } from '../../../src/protocol/rule.ts';
import { ApiError } from '../../client/http/api.ts';
import type { AuditParams, SettingsApi } from '../../client/http/settings-api.ts';

export interface SettingsState {
  /** Undefined until loaded. */
  readonly isOwner: boolean | undefined;
  readonly rules: readonly RuleInUse[] | undefined;
  /** What the rule in the form would have done; undefined until tested. */
  readonly test: RuleTest | undefined;
  readonly testProblem: string | undefined;
  readonly entries: readonly AuditEntry[] | undefined;
  readonly nextCursor: number | undefined;
  readonly tokens: readonly KnownToken[] | undefined;
  /** The secret of the last created token: shown once, stored nowhere. */
  readonly secret: { readonly name: string; readonly token: string } | undefined;
  /** The devices of the person who is signed in. */
  readonly devices: readonly Device[] | undefined;
  /** A device that is being added: the code is shown until it was used. */
  readonly pairing: (NewDevice & { readonly name: string }) | undefined;
  /** Transcript backups; undefined until loaded. */
  readonly kept: KeptState | undefined;
  readonly about: About | undefined;
  readonly machine: MachineNow | undefined;
  readonly resetPreferences: ResetPreferenceList['preferences'] | undefined;
  readonly problem: string | undefined;
}

export interface SettingsStore {
  readonly store: StoreApi<SettingsState>;
  loadRules(): Promise<void>;
  /** Only the result of the last call counts. */
  testRule(rule: RuleBody | undefined): Promise<void>;
  /** True on success. */
  createRule(rule: z.infer<typeof CreateRuleBody>): Promise<boolean>;
  revokeRule(id: string): Promise<void>;
  /** Only the result of the last call counts. */
  loadAudit(question: AuditParams): Promise<void>;
  loadMoreAudit(question: AuditParams): Promise<void>;
  loadTokens(): Promise<void>;
  addToken(name: string, role: Role): Promise<boolean>;
  revokeToken(name: string): Promise<void>;
  forgetSecret(): void;
  loadDevices(): Promise<void>;
  addDevice(name: string, role: Role): Promise<boolean>;
  endPairing(): Promise<void>;
  revokeDevice(name: string): Promise<void>;
  loadAbout(): Promise<void>;
  loadMachine(): Promise<void>;
  /** A machine that will not return. */
  forgetMachine(id: string): Promise<void>;
  loadResetPreferences(): Promise<void>;
  preferAtReset(scope: RuleScope, choice: 'on' | 'off' | 'unset'): Promise<void>;
  loadKept(): Promise<void>;
  setKept(on: boolean): Promise<void>;
  rebuildIndex(): Promise<void>;
}

const EMPTY: SettingsState = {
  isOwner: undefined,
  rules: undefined,
  test: undefined,
  testProblem: undefined,
  entries: undefined,
  nextCursor: undefined,
  tokens: undefined,
  secret: undefined,
  devices: undefined,
  pairing: undefined,
  kept: undefined,
  about: undefined,
  machine: undefined,
  resetPreferences: undefined,
  problem: undefined,
};

/** State and actions of the settings page. */
export function openSettings(api: SettingsApi): SettingsStore {
  const store = createStore<SettingsState>(() => EMPTY);
  const attempt = reporter(store);
  const loadRules = () => attempt(async () => store.setState({ rules: await api.rules() }));
  const loadTokens = async () => void (await attempt(() => loadPeople(store, api)));
  const loadDevices = async () => void (await attempt(async () => store.setState({ devices: await api.devices() })));
  let tests = 0;
  let auditRequests = 0;
  return {
    store,
    loadRules: async () => void (await loadRules()),
    testRule: async (rule) => {
      const number = ++tests;
      const result = rule === undefined ? NO_TEST : await testOf(api, rule);
      if (number === tests) store.setState(result);
    },
    createRule: (rule) => attempt(() => api.createRule(rule).then(loadRules)),
    revokeRule: async (id) => void (await attempt(() => api.revokeRule(id).then(loadRules))),
    loadAudit: async (question) => {
      const number = ++auditRequests;
      await attempt(async () => {
        const { entries, nextCursor } = await api.audit(question);
        if (number === auditRequests) store.setState({ entries, nextCursor });
      });
    },
    loadMoreAudit: async (question) => void (await attempt(() => loadMoreAudit(store, api, question))),
    loadTokens,
    addToken: (name, role) =>
      attempt(async () => {
        store.setState({ secret: { name, token: await api.addToken(name, role) } });
        await loadTokens();
      }),
    revokeToken: async (name) => void (await attempt(() => api.revokeToken(name).then(loadTokens))),
    forgetSecret: () => store.setState({ secret: undefined }),
    loadDevices,
    addDevice: (name, role) => attempt(async () => store.setState({ pairing: { ...(await api.addDevice({ name, role })), name } })),
    endPairing: async () => {
      store.setState({ pairing: undefined });
      await loadDevices();
    },
    revokeDevice: async (name) => void (await attempt(() => api.revokeDevice(name).then(loadDevices))),
    loadAbout: async () => void (await attempt(async () => store.setState({ about: await api.about() }))),
    loadMachine: async () => void (await attempt(async () => store.setState({ machine: await api.machine() }))),
    forgetMachine: async (id) => void (await attempt(() => api.forgetMachine(id))),
    loadResetPreferences: async () => void (await attempt(async () => store.setState({ resetPreferences: await api.resetPreferences() }))),
    preferAtReset: async (scope, choice) => void (await attempt(async () => store.setState({ resetPreferences: await api.preferAtReset(scope, choice) }))),
    loadKept: async () => void (await attempt(async () => store.setState({ kept: await api.kept() }))),
    setKept: async (on) => void (await attempt(async () => store.setState({ kept: await api.setKept(on) }))),
    rebuildIndex: async () => void (await attempt(() => api.rebuildIndex())),
  };
}

/** Runs a request and stores the error message if it fails. */
const reporter =
  (store: StoreApi<SettingsState>) =>
  async (run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run();
      store.setState({ problem: undefined });
      return true;
    } catch (error) {
      store.setState({ problem: errorText(error) });
      return false;
    }
  };

const errorText = (error: unknown): string => (error instanceof ApiError ? error.message : 'The server sent an unexpected answer. Reload the page.');

const NO_TEST = { test: undefined, testProblem: undefined };

const testOf = (api: SettingsApi, rule: RuleBody): Promise<Pick<SettingsState, 'test' | 'testProblem'>> =>
  api.testRule(rule).then(
    (test) => ({ test, testProblem: undefined }),
    (error: unknown) => ({ test: undefined, testProblem: errorText(error) }),
  );

async function loadMoreAudit(store: StoreApi<SettingsState>, api: SettingsApi, question: AuditParams): Promise<void> {
  const { entries = [], nextCursor: cursor } = store.getState();
  if (cursor === undefined) return;
  const more = await api.audit({ ...question, cursor: String(cursor) });
  store.setState({ entries: [...entries, ...more.entries], nextCursor: more.nextCursor });
}

/** Only an owner can see who has a token. */
async function loadPeople(store: StoreApi<SettingsState>, api: SettingsApi): Promise<void> {
  const isOwner = (await api.me()).role === 'owner';
  store.setState({ isOwner });
  if (isOwner) store.setState({ tokens: await api.tokens() });
}
