import { expect, test } from 'vitest';
import type { CommandId } from '../../protocol/ids.ts';
import type { Observation } from '../../protocol/observation.ts';
import type { SessionStart } from '../port/adapter.ts';
import { encode, handshake } from './encode.ts';
import { idOf } from './request-id.ts';
import { initial, type State } from './state.ts';
import { translate } from './translate.ts';

/** One agent and the lines it was sent: lines go in, observations and replies come out. */
class Wire {
  state: State = initial();
  readonly observed: Observation[] = [];
  replies: string[] = [];

  sends(message: object): this {
    const step = translate(this.state, JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.state = step.state;
    this.observed.push(...step.observations);
    this.replies = [...step.replies];
    return this;
  }
  updates(update: object): this {
    return this.sends({ method: 'session/update', params: { sessionId: 's', update } });
  }
  /** Answers the last line that we replied with. */
  answers(answer: object): this {
    return this.sends({ id: JSON.parse(this.replies[0] ?? '{}').id, ...answer });
  }
  of<T extends Observation['type']>(type: T): readonly Extract<Observation, { type: T }>[] {
    return this.observed.filter((observation): observation is Extract<Observation, { type: T }> => observation.type === type);
  }
}

const hello = {
  result: { protocolVersion: 1, agentCapabilities: { loadSession: true, promptCapabilities: { image: true } }, agentInfo: { name: 'x', version: '3.2.1' } },
};
const opening = (more: Partial<SessionStart> = {}): SessionStart => ({ cwd: '/p', options: {}, mode: 'new', agentSessionId: 'wanted', ...more });

function handshakeAnswered(more: Partial<SessionStart> = {}, answer: object = hello): Wire {
  const wire = new Wire();
  wire.replies = [...handshake(opening(more))];
  return wire.answers(answer);
}
const open = (): Wire => handshakeAnswered().answers({ result: { sessionId: 's' } });
const begin = (inputId: string) => ({ id: idOf({ for: 'begin', inputId }), error: { code: -32_601, message: 'no such method' } });
const end = (inputId: string, answer: object, isSlash = false) => ({ id: idOf({ for: 'input', inputId, isSlash }), ...answer });
const working = (): Wire => open().sends(begin('one'));
const text = (words: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
const method = (line: string | undefined): string => JSON.parse(line ?? '{}').method;

test('a session is created after the handshake and described with what the agent reports', () => {
  const wire = open();
  expect(wire.of('session.started')).toMatchObject([{ agentSessionId: 's', version: '3.2.1', cwd: '/p', agentCapabilities: ['resume', 'images'] }]);
  expect(wire.of('agent.ready')).toHaveLength(1);
});

test("a person's choices for a session are requested before its first message", () => {
  const models = [
    { id: 'm', category: 'model', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }, { options: [{ value: 'b', name: 'B' }] }] },
  ];
  const wire = handshakeAnswered({ options: { model: 'b' } }).answers({ result: { sessionId: 's', configOptions: models } });
  expect(wire.replies.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'session/set_config_option', params: { sessionId: 's', configId: 'm', value: 'b' } },
  ]);
  wire.answers({ result: { configOptions: [{ ...models[0], currentValue: 'b' }] } });
  expect(wire.of('model.changed')).toMatchObject([{ model: 'b' }]);
});

test('when the agent repeats a conversation that it loads, nothing is reported again', () => {
  const wire = handshakeAnswered({ mode: 'resume' });
  expect(JSON.parse(wire.replies[0] ?? '')).toMatchObject({ method: 'session/load', params: { sessionId: 'wanted' } });
  const load = [...wire.replies];
  wire.updates(text('said long ago')).updates({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'old', status: 'completed' });
  wire.replies = load;
  wire.answers({ result: {} });
  expect(wire.observed.map(({ type }) => type)).toEqual(['session.started', 'capabilities.told', 'agent.ready']);
  expect(wire.of('session.started')).toMatchObject([{ agentSessionId: 'wanted' }]);
});

test('a notice warns when an agent does not repeat the conversation it loads', () => {
  const wire = handshakeAnswered({ mode: 'resume' }).answers({ result: {} });
  expect(wire.of('notice.shown')).toMatchObject([{ level: 'warning', text: expect.stringContaining('may not know the messages') }]);
});

test('an agent that cannot load a conversation starts a new session, with a warning', () => {
  const wire = handshakeAnswered({ mode: 'resume' }, { result: { protocolVersion: 1 } });
  expect(method(wire.replies[0])).toBe('session/new');
  expect(wire.of('notice.shown')).toMatchObject([{ level: 'warning' }]);
});

const refusals: readonly (readonly [string, () => Wire, RegExp])[] = [
  [
    'a different session than requested',
    () => handshakeAnswered({ mode: 'resume' }).answers({ result: { sessionId: 'another' } }),
    /no longer knows this conversation/,
  ],
  ['no session', () => handshakeAnswered().answers({ error: { code: -32_000, message: 'Authentication required' } }), /Authentication required/],
  ['a session without an id', () => handshakeAnswered().answers({ result: {} }), /did not say which/],
  ['another version of the protocol', () => handshakeAnswered({}, { result: { protocolVersion: 2 } }), /version 2/],
  ['an invalid answer to the handshake', () => handshakeAnswered({}, { result: 'hello' }), /another protocol/],
];
for (const [name, connect, message] of refusals) {
  test(`after ${name}, the agent gets no message, and the message is answered with the reason`, () => {
    const wire = connect();
    const lines = encode({ kind: 'input', commandId: 'one' as CommandId, text: 'hello', images: [], steer: false }, wire.state);
    expect(lines.map(method)).toEqual(['_signalbox/mark']);
    wire.sends(begin('one'));
    expect(wire.of('turn.ended')).toMatchObject([{ isError: true, errors: [expect.stringMatching(message)] }]);
  });
}

test('a turn that ends without any output is an error', () => {
  const wire = working().sends(end('one', { result: { stopReason: 'end_turn' } }));
  expect(wire.of('turn.ended')).toMatchObject([{ isError: true, errors: [expect.stringContaining('without saying or doing anything')] }]);
});

const quiet: readonly (readonly [string, (wire: Wire) => Wire])[] = [
  ['a person stopped', (wire) => wire.sends(end('one', { result: { stopReason: 'cancelled' } }))],
  ['was a command', (wire) => wire.sends(end('one', { result: { stopReason: 'end_turn' } }, true))],
  [
    'did something',
    (wire) => wire.updates({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'x' }).sends(end('one', { result: { stopReason: 'end_turn' } })),
  ],
];
for (const [name, act] of quiet) {
  test(`a silent turn that ${name} is not an error`, () => expect(act(working()).of('turn.ended')).toMatchObject([{ isError: false }]));
}

test('a JSON-RPC error ends the turn with its full message', () => {
  const wire = working().sends(end('one', { error: { code: -32_603, message: 'Internal error', data: { details: 'no credit' } } }));
  expect(wire.of('turn.ended')).toMatchObject([{ isError: true, errors: ['Internal error: no credit'] }]);
});

test('an agent that never answers the probe still has its turn', () => {
  const wire = open().sends(end('one', { result: { stopReason: 'max_tokens' } }));
  expect(wire.observed.slice(-3).map(({ type }) => type)).toEqual(['turn.began', 'input.taken', 'turn.ended']);
});

test('a text ends when something else starts', () => {
  const wire = working()
    .updates(text('one '))
    .updates(text('two'))
    .updates({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'x', kind: 'read', status: 'in_progress' });
  expect(wire.observed.slice(-2)).toMatchObject([
    { type: 'assistant.text', text: 'one two' },
    { type: 'tool.started', name: 'read' },
  ]);
});

test('a long text becomes several items, split between lines and outside code where possible', () => {
  const wire = working();
  for (let line = 0; line < 400; line += 1) wire.updates(text(`${line % 50 === 10 || line % 50 === 30 ? '```' : 'some words of one line'}\n`));
  wire.sends(end('one', { result: { stopReason: 'end_turn' } }));
  const items = wire.of('assistant.text').map((item) => item.text);
  expect(items.length).toBeGreaterThan(1);
  for (const item of items) expect([item.endsWith('\n'), (item.match(/```/g)?.length ?? 0) % 2, item.length < 8000]).toEqual([true, 0, true]);
  expect(items.join('').split('\n')).toHaveLength(401);
});

test('a call is shown with complete arguments: when it runs, or when the agent continues', () => {
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Terminal', name: 'Bash', kind: 'execute', status: 'pending', rawInput: {} };
  const wire = working()
    .updates(call)
    .updates({ sessionUpdate: 'tool_call_update', toolCallId: 't', rawInput: { command: 'ls' } });
  expect(wire.of('tool.started')).toEqual([]);
  wire.updates({ sessionUpdate: 'usage_update', used: 1, size: 2 });
  expect(wire.of('tool.started')).toMatchObject([{ name: 'Bash', input: { command: 'ls' } }]);
});

test("the cost of a turn is the increase in the session's cost; without a report there is none", () => {
  const usage = (amount: number) => ({ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount, currency: 'USD' } });
  const ended = { result: { stopReason: 'end_turn' } };
  const wire = working()
    .updates(text('a'))
    .updates(usage(1))
    .sends(end('one', ended))
    .sends(begin('two'))
    .updates(text('b'))
    .updates(usage(1.5))
    .sends(end('two', ended));
  expect(wire.of('turn.ended').map(({ costUsd }) => costUsd)).toEqual([1, 0.5]);
  expect(working().updates(text('a')).sends(end('one', ended)).of('turn.ended')[0]).not.toHaveProperty('costUsd');
});

test('a plan is shown each time it changes', () => {
  const entries = [
    { content: 'look', status: 'completed', priority: 'high' },
    { content: 'change', status: 'pending', priority: 'low' },
  ];
  const wire = working().updates({ sessionUpdate: 'plan', entries }).updates({ sessionUpdate: 'plan', entries: [] });
  expect(wire.of('tool.completed').map(({ output }) => output)).toEqual(['[x] look\n[ ] change', '']);
});

test('requests for what we do not offer are refused immediately, so that the agent does not wait', () => {
  const wire = working().sends({ id: 7, method: 'terminal/create', params: {} });
  expect(JSON.parse(wire.replies[0] ?? '')).toMatchObject({ id: 7, error: { code: -32_601 } });
});

test('thinking levels that an agent calls modes are not permission modes', () => {
  const modes = (ids: readonly string[]) => ({
    result: { sessionId: 's', modes: { currentModeId: ids[0], availableModes: ids.map((id) => ({ id, name: id })) } },
  });
  expect(
    handshakeAnswered()
      .answers(modes(['low', 'high']))
      .of('session.started')[0],
  ).not.toHaveProperty('permissionMode');
  expect(
    handshakeAnswered()
      .answers(modes(['build', 'plan']))
      .of('session.started'),
  ).toMatchObject([{ permissionMode: 'build' }]);
});

test('an agent reports its capabilities: in the handshake, by the choices it offers, and by using them', () => {
  const bare = meet({ result: { protocolVersion: 1 } }, {});
  expect(bare.of('capabilities.told')).toEqual([
    { type: 'capabilities.told', can: { resume: false, images: false, fork: false, setModel: false, setThinking: false, modes: [] } },
  ]);
  const choices = (...values: readonly string[]) => values.map((value) => ({ value, name: value }));
  const rich = meet(
    { result: { protocolVersion: 1, agentCapabilities: { loadSession: true, promptCapabilities: { image: true }, sessionCapabilities: { fork: {} } } } },
    {
      modes: { currentModeId: 'build', availableModes: [{ id: 'build' }, { id: 'plan' }] },
      configOptions: [
        { id: 'm', category: 'model', currentValue: 'a', options: choices('a', 'b') },
        { id: 't', category: 'thought_level', currentValue: 'high', options: choices('high', 'xhigh') },
      ],
    },
  );
  const can = { resume: true, images: true, fork: true, setModel: true, setThinking: true, modes: ['plan'], ownModes: [{ id: 'build', name: 'build' }] };
  expect(rich.of('capabilities.told')).toEqual([{ type: 'capabilities.told', can }]);
  const worked = working()
    .updates({ ...text('hm'), sessionUpdate: 'agent_thought_chunk' })
    .updates({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: 'USD' } });
  expect(worked.of('capabilities.told').slice(1)).toMatchObject([{ can: { thinking: true } }, { can: { cost: true } }]);
});

function meet(answer: object, session: object): Wire {
  const wire = new Wire();
  wire.replies = [...handshake(opening())];
  return wire.answers(answer).answers({ result: { sessionId: 's', ...session } });
}

test('a fork is requested when the agent supports it, and refused when it does not', () => {
  const wire = new Wire();
  wire.replies = [...handshake(opening({ mode: 'fork', agentSessionId: 'original' }))];
  wire.answers({ result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { fork: {} } } } });
  expect(JSON.parse(wire.replies[0] ?? '')).toMatchObject({ method: 'session/fork', params: { sessionId: 'original' } });
  const fork = [...wire.replies];
  wire.updates(text('said in the original'));
  wire.replies = fork;
  wire.answers({ result: { sessionId: 'copy' } });
  expect(wire.observed.map(({ type }) => type)).toEqual(['session.started', 'capabilities.told', 'agent.ready']);
  expect(wire.of('session.started')).toMatchObject([{ agentSessionId: 'copy' }]);
  const unable = new Wire();
  unable.replies = [...handshake(opening({ mode: 'fork', agentSessionId: 'original' }))];
  expect(unable.answers({ result: { protocolVersion: 1 } }).of('notice.shown')).toMatchObject([{ text: 'This agent cannot copy a conversation.' }]);
});

test('late or repeated updates of a finished call do not start it again', () => {
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'x', status: 'completed' };
  const wire = working()
    .updates(call)
    .updates({ ...call, sessionUpdate: 'tool_call_update' });
  wire.updates({ ...call, toolCallId: 'left open', status: 'in_progress' }).sends(end('one', { result: { stopReason: 'cancelled' } }));
  wire.updates({ sessionUpdate: 'tool_call_update', toolCallId: 'left open', status: 'failed' });
  expect(wire.of('tool.started').map(({ toolUseId }) => toolUseId)).toEqual(['t', 'left open']);
  expect(wire.of('tool.completed').map(({ toolUseId }) => toolUseId)).toEqual(['t']);
});

test('long arguments are shown in full, although they are not stored', () => {
  const rawInput = { content: 'x'.repeat(10_000) };
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Write', kind: 'edit', status: 'pending' };
  const wire = working().updates(call).updates({ sessionUpdate: 'tool_call_update', toolCallId: 't', rawInput }).updates(text('on'));
  expect(wire.of('tool.started')).toMatchObject([{ input: rawInput }]);
  expect(JSON.stringify(wire.state).length).toBeLessThan(5000);
});

const shell = (more: object) => ({ sessionUpdate: 'tool_call', toolCallId: 't', kind: 'execute', title: 'Shell', status: 'pending', ...more });

test('an empty chunk between a call and its arguments does not start the call without them', () => {
  const wire = working()
    .updates(shell({ rawInput: {} }))
    .updates(text(''))
    .updates({ ...shell({ rawInput: { command: 'ls' } }), sessionUpdate: 'tool_call_update', status: 'in_progress' });
  expect(wire.of('tool.started')).toMatchObject([{ input: { command: 'ls' } }]);
});

test("what is said before and after a call's end are two texts", () => {
  const wire = working()
    .updates(shell({ status: 'in_progress' }))
    .updates(text('Info: x'))
    .updates({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' });
  wire.updates(text('All done.')).sends(end('one', { result: { stopReason: 'end_turn' } }));
  expect(wire.of('assistant.text').map((said) => said.text)).toEqual(['Info: x', 'All done.']);
});

const outputs: readonly (readonly [string, unknown, string])[] = [
  ['a message', { message: 'Path already exists', code: 'failure' }, 'Path already exists'],
  [
    "a server's content",
    {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    'one\ntwo',
  ],
  ['what a command printed', { stdout: 'out', stderr: 'err', exit_code: 1 }, 'out\nerr'],
  ['nothing we know', { exit: 3 }, '{\n  "exit": 3\n}'],
];
for (const [name, rawOutput, output] of outputs) {
  test(`a raw result is shown as text: ${name}`, () => {
    const wire = working()
      .updates(shell({ status: 'in_progress' }))
      .updates({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed', rawOutput });
    expect(wire.of('tool.completed')).toMatchObject([{ output, isError: true }]);
  });
}

const commands: readonly (readonly [string, object, string, object])[] = [
  [
    'in a shell, as a list of words',
    { rawInput: { command: ['/bin/bash', '-lc', 'git status && ls'] } },
    'x',
    { kind: 'command', command: 'git status && ls' },
  ],
  ['as the title, from an agent that is known for it', { title: 'git status' }, 'gemini-cli', { kind: 'command', command: 'git status' }],
  ['as the title, from any other agent', { title: 'git status' }, 'x', { kind: 'other' }],
  ['as a title that is cut off', { title: `git commit -m ${'x'.repeat(400)}` }, 'gemini-cli', { kind: 'other' }],
];
for (const [name, call, agent, subject] of commands) {
  test(`[R393] a rule sees the command of a call only if it is certain: ${name}`, () => {
    const answer = { result: { ...hello.result, agentInfo: { name: agent } } };
    const wire = handshakeAnswered({}, answer)
      .answers({ result: { sessionId: 's' } })
      .sends(begin('one'));
    wire.sends({
      id: 9,
      method: 'session/request_permission',
      params: { sessionId: 's', toolCall: { toolCallId: 't', kind: 'execute', ...call }, options: [] },
    });
    expect(wire.of('permission.asked')).toMatchObject([{ subject }]);
  });
}

const failures: readonly (readonly [string, string, boolean])[] = [
  ['Error: 400 The request is not understood', 'Error: 400 The request is not understood', true],
  ['Warning: x\n\n{"error":{"type":"t","message":"Overloaded"}}\n\n', 'Overloaded', true],
  ['Error: your test expects 400 but got 500. I fixed it.', '', false],
  ['Here is the answer: {"error":{"message":"x"}}', '', false],
];
for (const [said, reason, isError] of failures) {
  test(`[R394] a turn that ends with the text ${JSON.stringify(said)} ${isError ? 'has failed' : 'is an answer'}`, () => {
    const wire = working()
      .updates(text(said))
      .sends(end('one', { result: { stopReason: 'end_turn' } }));
    expect(wire.of('turn.ended')).toMatchObject([isError ? { isError, errors: [reason] } : { isError }]);
  });
}

test('[R398] text that a cancel cut off is marked', () => {
  const wire = working()
    .updates(text('half a sen'))
    .sends(end('one', { result: { stopReason: 'cancelled' } }));
  expect(wire.of('assistant.text')).toMatchObject([{ text: 'half a sen', interrupted: true }]);
});

const OWN = [
  { id: 'default', name: 'Default' },
  { id: 'autoEdit', name: 'Auto Edit', description: 'Auto-approves edit tools' },
  { id: 'yolo', name: 'YOLO', description: 'Auto-approves all tools' },
];

test("[R395] modes that are none of ours are offered under the agent's own names, and chosen again by every later process", () => {
  const modes = { currentModeId: 'default', availableModes: OWN };
  const wire = handshakeAnswered({ options: { ownMode: 'autoEdit' } }).answers({ result: { sessionId: 's', modes } });
  expect(wire.of('capabilities.told')).toMatchObject([
    {
      can: {
        modes: ['default'],
        ownModes: [
          { id: 'autoEdit', name: 'Auto Edit' },
          { id: 'yolo', name: 'YOLO', bypasses: true },
        ],
      },
    },
  ]);
  expect(wire.replies.map((line) => JSON.parse(line))).toMatchObject([{ method: 'session/set_mode', params: { modeId: 'autoEdit' } }]);
  wire.answers({ result: {} });
  expect(wire.of('mode.changed')).toMatchObject([{ mode: 'autoEdit' }]);
});

test('levels of thinking are not modes', () => {
  const modes = { currentModeId: 'low', availableModes: [{ id: 'low' }, { id: 'high' }] };
  expect(
    handshakeAnswered()
      .answers({ result: { sessionId: 's', modes } })
      .of('capabilities.told')[0]?.can,
  ).not.toHaveProperty('ownModes');
});

const REQUIRED = { error: { code: -32_000, message: 'Authentication required' } };
const authMethods = [
  { id: 'a', name: 'Sign in', description: 'In the browser' },
  { id: 'b', name: 'Log in', _meta: { 'terminal-auth': { command: 'agent', args: ['login'] } } },
];
const loggingIn = (): Wire => handshakeAnswered({}, { result: { ...hello.result, authMethods } }).answers(REQUIRED);
const choice = (label: string) =>
  ({ kind: 'answer', agentRequestId: 'login', input: {}, verdict: { behavior: 'allow', answers: { 'How do you want to log in?': label } } }) as const;

test('[R396] an agent that wants a login first lets a person choose one of its ways, and then opens the session', () => {
  const wire = loggingIn();
  const options = [
    { label: 'Sign in', description: 'In the browser' },
    { label: 'Log in', description: 'In a terminal: agent login' },
  ];
  expect(wire.of('permission.asked')).toMatchObject([{ kind: 'question', input: { questions: [{ options }] } }]);
  wire.replies = [...encode(choice('Sign in'), wire.state)];
  expect(wire.replies.map((line) => JSON.parse(line))).toMatchObject([{ method: 'authenticate', params: { methodId: 'a' } }]);
  wire.answers({ result: {} });
  expect(method(wire.replies[0])).toBe('session/new');
  expect(wire.answers({ result: { sessionId: 's' } }).of('agent.ready')).toHaveLength(1);
});

test('a login that fails, or none at all, is the reason why messages fail', () => {
  const failed = loggingIn();
  failed.replies = [...encode(choice('Sign in'), failed.state)];
  failed.answers({ error: { code: -32_603, message: 'No browser' } });
  expect(failed.of('notice.shown').at(-1)).toMatchObject({ level: 'error', text: 'Sign in failed: No browser' });
  const denied = loggingIn();
  denied.replies = [
    ...encode({ kind: 'answer', agentRequestId: 'login', input: {}, verdict: { behavior: 'deny', message: '', interrupt: false } }, denied.state),
  ];
  denied.answers({ error: { code: -32_602, message: 'unknown' } });
  expect(denied.of('agent.ready')).toHaveLength(1);
  expect(denied.of('notice.shown').at(-1)?.text).toContain('none was chosen');
});

test("the agent's own title is reported once, and an id is not a title", () => {
  const info = (title: string) => ({ sessionUpdate: 'session_info_update', title });
  const wire = open().updates(info('agent:main:d1faf1f8-2cfa-47f8-8f5c-ab495ffafd12')).updates(info('Cart totals')).updates(info('Cart totals'));
  expect(wire.of('title.reported')).toEqual([{ type: 'title.reported', title: 'Cart totals' }]);
});

test('an answer with a damaged id answers no request of ours', () => {
  expect(open().sends({ id: '{"for":"begin"}', result: {} }).of('unrecognised')).toHaveLength(1);
});

test('the text of a block of an unknown kind is shown', () => {
  const content = [{ type: 'content', content: { type: 'richtext', text: 'said anyway' } }];
  const wire = working()
    .updates(shell({ status: 'in_progress' }))
    .updates({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', content });
  expect(wire.of('tool.completed')).toMatchObject([{ output: 'said anyway' }]);
});
