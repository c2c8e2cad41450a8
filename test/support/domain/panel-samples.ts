import type { Event, EventBody } from '../../../src/protocol/event.ts';

/** The time that tests count from. */
export const NOON = Date.UTC(2026, 10, 15, 12);

const SECOND = 1000;

export type TimedEvent = readonly [atSeconds: number, body: EventBody];

/** Events at seconds after noon. */
export const journalOf = (...timed: readonly TimedEvent[]): readonly Event[] =>
  timed.map(([atSeconds, body], index) => ({ ...body, seq: index + 1, at: new Date(NOON + atSeconds * SECOND).toISOString() }) as Event);

const eventBody = (type: string, fields: object): EventBody => ({ type, ...fields }) as EventBody;

export const created = (parent?: string): EventBody =>
  eventBody('session.created', { agent: 'demo', cwd: '/w', node: 'n', owner: 'ada', options: {}, ...(parent && { parent: { sessionId: parent, seq: 3 } }) });
export const status = (now: string, cause = 'turn.completed'): EventBody => eventBody('session.status', { status: now, cause });
export const began = (turnId = 't'): EventBody => eventBody('turn.started', { turnId, cause: 'input' });
export const completed = (fields: object = {}): EventBody =>
  eventBody('turn.completed', { turnId: 't', stopReason: 'end_turn', isError: false, interrupted: false, denials: 0, ...fields });
export const called = (toolUseId: string, name = 'Bash', input: object = { command: 'npm test' }): EventBody =>
  eventBody('tool.started', { toolUseId, name, input });
export const returned = (toolUseId: string, isError = false): EventBody => eventBody('tool.completed', { toolUseId, output: '', isError });
export const asked = (requestId: string): EventBody =>
  eventBody('permission.requested', { requestId, agentRequestId: requestId, tool: 'Bash', input: { command: 'npm test' }, kind: 'tool' });
export const resolved = (requestId: string, outcome = 'allowed'): EventBody => eventBody('permission.resolved', { requestId, outcome });
export const compacted = (): EventBody => eventBody('context.compacted', { preTokens: 150_000, postTokens: 30_000, trigger: 'auto' });

/** Everything that a track can show, once each. */
export const FULL_TRACK_EVENTS: readonly Event[] = journalOf(
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
