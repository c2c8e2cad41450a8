import type * as z from 'zod/mini';
import type { Role } from '../../../src/protocol/actor.ts';
import { AuditList, type AuditQuery } from '../../../src/protocol/api/audit.ts';
import { About, type CreateRuleBody, type KnownToken, MachineNow, Me, NewToken, RuleList, TokenList } from '../../../src/protocol/http.ts';
import { type RuleBody, type RuleInUse, RuleTest } from '../../../src/protocol/rule.ts';
import { caller } from './api.ts';
import { type LibraryApi, libraryApi } from './session-list-api.ts';

export type AuditQuestion = Readonly<Partial<Record<keyof AuditQuery, string>>>;

/** What belongs to no session: rules, the audit and people. Everything throws what the server said when it refuses. */
export interface HouseApi extends Pick<LibraryApi, 'kept' | 'setKept' | 'rebuildIndex'> {
  me(): Promise<Me>;
  rules(): Promise<readonly RuleInUse[]>;
  testRule(rule: RuleBody): Promise<RuleTest>;
  createRule(rule: z.infer<typeof CreateRuleBody>): Promise<void>;
  revokeRule(id: string): Promise<void>;
  audit(question: AuditQuestion): Promise<AuditList>;
  tokens(): Promise<readonly KnownToken[]>;
  /** The secret, which is told this once. */
  addToken(name: string, role: Role): Promise<string>;
  revokeToken(name: string): Promise<void>;
  about(): Promise<About>;
  machine(): Promise<MachineNow>;
}

export function createHouseApi(base: string): HouseApi {
  const call = caller(base);
  const { kept, setKept, rebuildIndex } = libraryApi(call);
  return {
    kept,
    setKept,
    rebuildIndex,
    me: async () => Me.parse(await call('GET', 'api/me')),
    rules: async () => RuleList.parse(await call('GET', 'api/rules')).rules,
    testRule: async (rule) => RuleTest.parse(await call('POST', 'api/rules/test', rule)),
    createRule: async (rule) => void (await call('POST', 'api/rules', rule)),
    revokeRule: async (id) => void (await call('DELETE', `api/rules/${encodeURIComponent(id)}`)),
    audit: async (question) => AuditList.parse(await call('GET', `api/audit?${new URLSearchParams(question)}`)),
    tokens: async () => TokenList.parse(await call('GET', 'api/tokens')).tokens,
    addToken: async (name, role) => NewToken.parse(await call('POST', 'api/tokens', { name, role })).token,
    about: async () => About.parse(await call('GET', 'api/about')),
    machine: async () => MachineNow.parse(await call('GET', 'api/machine')),
    revokeToken: async (name) => void (await call('DELETE', `api/tokens/${encodeURIComponent(name)}`)),
  };
}
