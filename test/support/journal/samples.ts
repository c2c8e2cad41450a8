import type { Entry, RunRow, StoredReceipt } from '../../../src/journal/journal.ts';
import type { Unnumbered } from '../../../src/journal/number-events.ts';
import type { AuditLine } from '../../../src/protocol/api/audit.ts';
import type { EventBodyOf } from '../../../src/protocol/event.ts';
import { AgentId, CommandId, RequestId, RunId, SessionId } from '../../../src/protocol/ids.ts';
import { RuleId } from '../../../src/protocol/rule.ts';

/** Small events, entries and rows, for tests. */
export const sessionOf = (id: string): SessionId => SessionId.parse(id);
export const commandOf = (id: string): CommandId => CommandId.parse(id);
export const runOf = (id: string): RunId => RunId.parse(id);

export const createdAfter = (base: number): EventBodyOf<'session.created'> => ({
  type: 'session.created',
  agent: AgentId.parse('demo'),
  cwd: '/w',
  node: 'n',
  owner: 'o',
  options: {},
  base,
});

export const accepted = (commandId: string): EventBodyOf<'input.accepted'> => ({
  type: 'input.accepted',
  commandId: commandOf(commandId),
  text: `text of ${commandId}`,
  mode: 'queue',
});

export const spoken = (text: string): EventBodyOf<'assistant.text'> => ({ type: 'assistant.text', messageId: 'm', index: 0, text });

export const decidedBy = (first: string, ...more: string[]): EventBodyOf<'permission.resolved'> => ({
  type: 'permission.resolved',
  requestId: RequestId.parse('r:1'),
  outcome: 'allowed',
  behavior: 'allow',
  actor: { kind: 'rule', id: first, name: first },
  rules: [first, ...more].map((id) => RuleId.parse(id)),
});

export const entry = (session: SessionId, after: number, events: readonly Unnumbered[]): Entry => ({
  session,
  after,
  at: '2026-03-04T05:06:07.089Z',
  events,
});

export const receiptOf = (sessionId: SessionId, commandId: string, seq: number): StoredReceipt => ({
  commandId: commandOf(commandId),
  sessionId,
  seq,
  content: 'c'.repeat(64),
});

export const runRow = (session: SessionId, run: string, outByte: number): RunRow => ({
  run: runOf(run),
  session,
  outByte,
  inByte: 0,
  adapterVersion: 1,
  foldState: { open: ['x'], n: outByte },
  open: true,
});

export const auditLineOf = (sessionId: string, seq: number, changed: Partial<AuditLine> = {}): AuditLine => ({
  at: `2026-03-04T05:06:07.${String(seq).padStart(3, '0')}Z`,
  actor: { kind: 'person', id: 'ada#1', name: 'ada', from: 'page 127.0.0.1' },
  action: 'input.accepted',
  sessionId,
  seq,
  words: `sent message ${seq}`,
  ...changed,
});
