import type { Event, EventBody } from '../../../src/protocol/event.ts';

/** A moment that tests count from. */
export const NOON = Date.UTC(2026, 10, 15, 12);

const SECOND = 1000;

export type TimedEvent = readonly [atSeconds: number, body: EventBody];

/** Events at seconds after noon. */
export const journalOf = (...told: readonly TimedEvent[]): readonly Event[] =>
  told.map(([atSeconds, body], index) => ({ ...body, seq: index + 1, at: new Date(NOON + atSeconds * SECOND).toISOString() }) as Event);

const word = (type: string, fields: object): EventBody => ({ type, ...fields }) as EventBody;

export const created = (parent?: string): EventBody =>
  word('session.created', { agent: 'demo', cwd: '/w', node: 'n', owner: 'ada', options: {}, ...(parent && { parent: { sessionId: parent, seq: 3 } }) });
export const status = (now: string, cause = 'turn.completed'): EventBody => word('session.status', { status: now, cause });
export const began = (turnId = 't'): EventBody => word('turn.started', { turnId, cause: 'input' });
export const completed = (fields: object = {}): EventBody =>
  word('turn.completed', { turnId: 't', stopReason: 'end_turn', isError: false, interrupted: false, denials: 0, ...fields });
export const called = (toolUseId: string, name = 'Bash', input: object = { command: 'npm test' }): EventBody =>
  word('tool.started', { toolUseId, name, input });
export const returned = (toolUseId: string, isError = false): EventBody => word('tool.completed', { toolUseId, output: '', isError });
export const asked = (requestId: string): EventBody =>
  word('permission.requested', { requestId, agentRequestId: requestId, tool: 'Bash', input: { command: 'npm test' }, kind: 'tool' });
export const resolved = (requestId: string, outcome = 'allowed'): EventBody => word('permission.resolved', { requestId, outcome });
export const compacted = (): EventBody => word('context.compacted', { preTokens: 150_000, postTokens: 30_000, trigger: 'auto' });

/** Everything that a track can show, once. */
export const EVENTFUL: readonly Event[] = journalOf(
  [0, created()],
  [0, status('starting', 'session.created')],
  [1, began()],
  [1, status('busy', 'turn.started')],
  [10, called('a')],
  [20, returned('a')],
  [20, called('list', 'TodoWrite', { todos: [{ status: 'completed' }, { status: 'pending' }, { status: 'in_progress' }] })],
  [21, returned('list')],
  [30, called('b')],
  [31, asked('q')],
  [31, status('waiting', 'permission.requested')],
  [61, resolved('q')],
  [61, status('busy', 'permission.resolved')],
  [70, returned('b', true)],
  [72, compacted()],
  [80, completed()],
  [80, status('idle')],
  [200, status('sleeping', 'session.exited')],
  [300, status('starting', 'input.accepted')],
  [301, began('u')],
  [301, status('busy', 'turn.started')],
  [320, completed({ isError: true, errors: ['overloaded'] })],
  [320, status('failed', 'turn.completed')],
);
