import type * as z from 'zod/mini';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Role } from '../../../src/protocol/actor.ts';
import type { KeptState } from '../../../src/protocol/api/archive.ts';
import type { AuditEntry } from '../../../src/protocol/api/audit.ts';
import type { About, CreateRuleBody, KnownToken, MachineNow } from '../../../src/protocol/http.ts';
import type { RuleBody, RuleInUse, RuleTest } from '../../../src/protocol/rule.ts';
import { ApiError } from '../../client/http/api.ts';
import type { AuditQuestion, HouseApi } from '../../client/http/settings-api.ts';

export interface HouseState {
  /** Undefined until it is known. */
  readonly isOwner: boolean | undefined;
  readonly rules: readonly RuleInUse[] | undefined;
  /** What the rule in the form would have done; undefined while that is not known. */
  readonly test: RuleTest | undefined;
  readonly testProblem: string | undefined;
  readonly entries: readonly AuditEntry[] | undefined;
  readonly nextCursor: number | undefined;
  readonly tokens: readonly KnownToken[] | undefined;
  /** The secret of the token made last: shown once, kept nowhere. */
  readonly secret: { readonly name: string; readonly token: string } | undefined;
  /** Copies of records; undefined until it is known. */
  readonly kept: KeptState | undefined;
  readonly about: About | undefined;
  readonly machine: MachineNow | undefined;
  readonly problem: string | undefined;
}

export interface House {
  readonly store: StoreApi<HouseState>;
  loadRules(): Promise<void>;
  /** Of several tests only the last one counts. */
  testRule(rule: RuleBody | undefined): Promise<void>;
  /** True when it was done. */
  createRule(rule: z.infer<typeof CreateRuleBody>): Promise<boolean>;
  revokeRule(id: string): Promise<void>;
  /** Of several questions only the last one counts. */
  loadAudit(question: AuditQuestion): Promise<void>;
  loadMoreAudit(question: AuditQuestion): Promise<void>;
  loadTokens(): Promise<void>;
  addToken(name: string, role: Role): Promise<boolean>;
  revokeToken(name: string): Promise<void>;
  forgetSecret(): void;
  loadAbout(): Promise<void>;
  loadMachine(): Promise<void>;
  loadKept(): Promise<void>;
  setKept(on: boolean): Promise<void>;
  rebuildIndex(): Promise<void>;
}

const EMPTY: HouseState = {
  isOwner: undefined,
  rules: undefined,
  test: undefined,
  testProblem: undefined,
  entries: undefined,
  nextCursor: undefined,
  tokens: undefined,
  secret: undefined,
  kept: undefined,
  about: undefined,
  machine: undefined,
  problem: undefined,
};

/** What the settings show, and what can be done there. */
export function openHouse(api: HouseApi): House {
  const store = createStore<HouseState>(() => EMPTY);
  const tell = teller(store);
  const loadRules = () => tell(async () => store.setState({ rules: await api.rules() }));
  const loadTokens = async () => void (await tell(() => loadPeople(store, api)));
  let tests = 0;
  let questions = 0;
  return {
    store,
    loadRules: async () => void (await loadRules()),
    testRule: async (rule) => {
      const number = ++tests;
      const news = rule === undefined ? NO_TEST : await testOf(api, rule);
      if (number === tests) store.setState(news);
    },
    createRule: (rule) => tell(() => api.createRule(rule).then(loadRules)),
    revokeRule: async (id) => void (await tell(() => api.revokeRule(id).then(loadRules))),
    loadAudit: async (question) => {
      const number = ++questions;
      await tell(async () => {
        const { entries, nextCursor } = await api.audit(question);
        if (number === questions) store.setState({ entries, nextCursor });
      });
    },
    loadMoreAudit: async (question) => void (await tell(() => loadMoreAudit(store, api, question))),
    loadTokens,
    addToken: (name, role) =>
      tell(async () => {
        store.setState({ secret: { name, token: await api.addToken(name, role) } });
        await loadTokens();
      }),
    revokeToken: async (name) => void (await tell(() => api.revokeToken(name).then(loadTokens))),
    forgetSecret: () => store.setState({ secret: undefined }),
    loadAbout: async () => void (await tell(async () => store.setState({ about: await api.about() }))),
    loadMachine: async () => void (await tell(async () => store.setState({ machine: await api.machine() }))),
    loadKept: async () => void (await tell(async () => store.setState({ kept: await api.kept() }))),
    setKept: async (on) => void (await tell(async () => store.setState({ kept: await api.setKept(on) }))),
    rebuildIndex: async () => void (await tell(() => api.rebuildIndex())),
  };
}

/** Runs it, and keeps the server's words when it refuses. */
const teller =
  (store: StoreApi<HouseState>) =>
  async (run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run();
      store.setState({ problem: undefined });
      return true;
    } catch (error) {
      store.setState({ problem: wordsOf(error) });
      return false;
    }
  };

const wordsOf = (error: unknown): string => (error instanceof ApiError ? error.message : 'The server answered something that this page does not understand.');

const NO_TEST = { test: undefined, testProblem: undefined };

const testOf = (api: HouseApi, rule: RuleBody): Promise<Pick<HouseState, 'test' | 'testProblem'>> =>
  api.testRule(rule).then(
    (test) => ({ test, testProblem: undefined }),
    (error: unknown) => ({ test: undefined, testProblem: wordsOf(error) }),
  );

async function loadMoreAudit(store: StoreApi<HouseState>, api: HouseApi, question: AuditQuestion): Promise<void> {
  const { entries = [], nextCursor: cursor } = store.getState();
  if (cursor === undefined) return;
  const more = await api.audit({ ...question, cursor: String(cursor) });
  store.setState({ entries: [...entries, ...more.entries], nextCursor: more.nextCursor });
}

/** Only an owner is shown who has a token. */
async function loadPeople(store: StoreApi<HouseState>, api: HouseApi): Promise<void> {
  const isOwner = (await api.me()).role === 'owner';
  store.setState({ isOwner });
  if (isOwner) store.setState({ tokens: await api.tokens() });
}
