import type * as z from 'zod/mini';
import type { Role } from '../../../src/protocol/actor.ts';
import { AuditList, type AuditQuery } from '../../../src/protocol/api/audit.ts';
import { type Device, DeviceList, NewDevice, type NewDeviceBody } from '../../../src/protocol/api/outside/devices.ts';
import { About, type CreateRuleBody, type KnownToken, MachineNow, Me, NewToken, ResetPreferenceList, RuleList, TokenList } from '../../../src/protocol/http.ts';
import { type RuleBody, type RuleInUse, type RuleScope, RuleTest } from '../../../src/protocol/rule.ts';
import { caller } from './api.ts';
import { type SessionListApi, sessionListApi } from './session-list-api.ts';

export type AuditParams = Readonly<Partial<Record<keyof AuditQuery, string>>>;

/** Rules, audit log, tokens and the machine. All throw the server's message if it refuses. */
export interface SettingsApi extends Pick<SessionListApi, 'kept' | 'setKept' | 'rebuildIndex'> {
  me(): Promise<Me>;
  rules(): Promise<readonly RuleInUse[]>;
  testRule(rule: RuleBody): Promise<RuleTest>;
  createRule(rule: z.infer<typeof CreateRuleBody>): Promise<void>;
  revokeRule(id: string): Promise<void>;
  audit(query: AuditParams): Promise<AuditList>;
  tokens(): Promise<readonly KnownToken[]>;
  /** The secret, which is shown only once. */
  addToken(name: string, role: Role): Promise<string>;
  revokeToken(name: string): Promise<void>;
  devices(): Promise<readonly Device[]>;
  /** A code that works once. */
  addDevice(device: z.infer<typeof NewDeviceBody>): Promise<NewDevice>;
  revokeDevice(name: string): Promise<void>;
  about(): Promise<About>;
  machine(): Promise<MachineNow>;
  forgetMachine(id: string): Promise<void>;
  /** Which sessions resume automatically when a usage limit resets. */
  resetPreferences(): Promise<ResetPreferenceList['preferences']>;
  preferAtReset(scope: RuleScope, choice: 'on' | 'off' | 'unset'): Promise<ResetPreferenceList['preferences']>;
}

export function createSettingsApi(base: string): SettingsApi {
  const call = caller(base);
  const { kept, setKept, rebuildIndex } = sessionListApi(call);
  return {
    kept,
    setKept,
    rebuildIndex,
    me: async () => Me.parse(await call('GET', 'api/me')),
    rules: async () => RuleList.parse(await call('GET', 'api/rules')).rules,
    testRule: async (rule) => RuleTest.parse(await call('POST', 'api/rules/test', rule)),
    createRule: async (rule) => void (await call('POST', 'api/rules', rule)),
    revokeRule: async (id) => void (await call('DELETE', `api/rules/${encodeURIComponent(id)}`)),
    audit: async (query) => AuditList.parse(await call('GET', `api/audit?${new URLSearchParams(query)}`)),
    tokens: async () => TokenList.parse(await call('GET', 'api/tokens')).tokens,
    addToken: async (name, role) => NewToken.parse(await call('POST', 'api/tokens', { name, role })).token,
    about: async () => About.parse(await call('GET', 'api/about')),
    forgetMachine: async (id) => void (await call('DELETE', `api/nodes/${encodeURIComponent(id)}`)),
    machine: async () => MachineNow.parse(await call('GET', 'api/machine')),
    resetPreferences: async () => ResetPreferenceList.parse(await call('GET', 'api/continuation')).preferences,
    preferAtReset: async (scope, choice) => ResetPreferenceList.parse(await call('PUT', 'api/continuation', { scope, choice })).preferences,
    devices: async () => DeviceList.parse(await call('GET', 'api/devices')).devices,
    addDevice: async (device) => NewDevice.parse(await call('POST', 'api/devices', device)),
    revokeDevice: async (name) => void (await call('DELETE', `api/devices/${encodeURIComponent(name)}`)),
    revokeToken: async (name) => void (await call('DELETE', `api/tokens/${encodeURIComponent(name)}`)),
  };
}
