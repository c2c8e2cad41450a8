import { expect, test } from 'vitest';
import type { CommandId } from '../../protocol/ids.ts';
import type { Observation } from '../../protocol/observation.ts';
import type { Opening } from '../adapter.ts';
import { encode, greeting } from './encode.ts';
import { idOf } from './purpose.ts';
import { initial, type State } from './state.ts';
import { translate } from './translate.ts';

/** One agent and what it was sent: lines go in, what is told and replied comes out. */
class Wire {
  state: State = initial();
  readonly told: Observation[] = [];
  replies: string[] = [];

  says(message: object): this {
    const step = translate(this.state, JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.state = step.state;
    this.told.push(...step.observations);
    this.replies = [...step.replies];
    return this;
  }
  news(update: object): this {
    return this.says({ method: 'session/update', params: { sessionId: 's', update } });
  }
  /** The answer to the last line that was replied. */
  answers(answer: object): this {
    return this.says({ id: JSON.parse(this.replies[0] ?? '{}').id, ...answer });
  }
  of<T extends Observation['type']>(type: T): readonly Extract<Observation, { type: T }>[] {
    return this.told.filter((observation): observation is Extract<Observation, { type: T }> => observation.type === type);
  }
}

const hello = {
  result: { protocolVersion: 1, agentCapabilities: { loadSession: true, promptCapabilities: { image: true } }, agentInfo: { name: 'x', version: '3.2.1' } },
};
const opening = (more: Partial<Opening> = {}): Opening => ({ cwd: '/p', options: {}, mode: 'new', agentSessionId: 'wanted', ...more });

function greeted(more: Partial<Opening> = {}, answer: object = hello): Wire {
  const wire = new Wire();
  wire.replies = [...greeting(opening(more))];
  return wire.answers(answer);
}
const open = (): Wire => greeted().answers({ result: { sessionId: 's' } });
const begin = (inputId: string) => ({ id: idOf({ for: 'begin', inputId }), error: { code: -32_601, message: 'no such method' } });
const end = (inputId: string, answer: object, isSlash = false) => ({ id: idOf({ for: 'input', inputId, isSlash }), ...answer });
const working = (): Wire => open().says(begin('one'));
const text = (words: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
const method = (line: string | undefined): string => JSON.parse(line ?? '{}').method;

test('a session is made after the handshake, and described with what the agent says of itself', () => {
  const wire = open();
  expect(wire.of('session.started')).toMatchObject([{ agentSessionId: 's', version: '3.2.1', cwd: '/p', agentCapabilities: ['resume', 'images'] }]);
  expect(wire.of('agent.ready')).toHaveLength(1);
});

test('what a person chose for a session is asked for before its first message', () => {
  const models = [
    { id: 'm', category: 'model', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }, { options: [{ value: 'b', name: 'B' }] }] },
  ];
  const wire = greeted({ options: { model: 'b' } }).answers({ result: { sessionId: 's', configOptions: models } });
  expect(wire.replies.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'session/set_config_option', params: { sessionId: 's', configId: 'm', value: 'b' } },
  ]);
  wire.answers({ result: { configOptions: [{ ...models[0], currentValue: 'b' }] } });
  expect(wire.of('model.changed')).toMatchObject([{ model: 'b' }]);
});

test('a conversation that is loaded is told again by the agent, and not by us', () => {
  const wire = greeted({ mode: 'resume' });
  expect(JSON.parse(wire.replies[0] ?? '')).toMatchObject({ method: 'session/load', params: { sessionId: 'wanted' } });
  const load = [...wire.replies];
  wire.news(text('said long ago')).news({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'old', status: 'completed' });
  wire.replies = load;
  wire.answers({ result: {} });
  expect(wire.told.map(({ type }) => type)).toEqual(['session.started', 'capabilities.told', 'agent.ready']);
  expect(wire.of('session.started')).toMatchObject([{ agentSessionId: 'wanted' }]);
});

test('an agent that tells nothing of a conversation which it loads is doubted in words', () => {
  const wire = greeted({ mode: 'resume' }).answers({ result: {} });
  expect(wire.of('notice.shown')).toMatchObject([{ level: 'warning', text: expect.stringContaining('may not know what was said') }]);
});

test('an agent that cannot load begins a new session, and says that it forgets', () => {
  const wire = greeted({ mode: 'resume' }, { result: { protocolVersion: 1 } });
  expect(method(wire.replies[0])).toBe('session/new');
  expect(wire.of('notice.shown')).toMatchObject([{ level: 'warning' }]);
});

const refusals: readonly (readonly [string, () => Wire, RegExp])[] = [
  ['another session than was asked for', () => greeted({ mode: 'resume' }).answers({ result: { sessionId: 'another' } }), /does not know this conversation/],
  ['no session', () => greeted().answers({ error: { code: -32_000, message: 'Authentication required' } }), /Authentication required/],
  ['a session without a name', () => greeted().answers({ result: {} }), /does not say which/],
  ['another version of the protocol', () => greeted({}, { result: { protocolVersion: 2 } }), /version 2/],
  ['an answer to the handshake that is none', () => greeted({}, { result: 'hello' }), /another protocol/],
];
for (const [name, meet, words] of refusals) {
  test(`an agent that gives ${name} is sent no message, and the message is answered with the reason`, () => {
    const wire = meet();
    const lines = encode({ kind: 'input', commandId: 'one' as CommandId, text: 'hello', images: [], steer: false }, wire.state);
    expect(lines.map(method)).toEqual(['_signalbox/mark']);
    wire.says(begin('one'));
    expect(wire.of('turn.ended')).toMatchObject([{ isError: true, errors: [expect.stringMatching(words)] }]);
  });
}

test('a turn that ends without a word is an error', () => {
  const wire = working().says(end('one', { result: { stopReason: 'end_turn' } }));
  expect(wire.of('turn.ended')).toMatchObject([{ isError: true, errors: [expect.stringContaining('without saying or doing anything')] }]);
});

const quiet: readonly (readonly [string, (wire: Wire) => Wire])[] = [
  ['a person stopped', (wire) => wire.says(end('one', { result: { stopReason: 'cancelled' } }))],
  ['was a command', (wire) => wire.says(end('one', { result: { stopReason: 'end_turn' } }, true))],
  ['did something', (wire) => wire.news({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'x' }).says(end('one', { result: { stopReason: 'end_turn' } }))],
];
for (const [name, happen] of quiet) {
  test(`a silent turn that ${name} is none`, () => expect(happen(working()).of('turn.ended')).toMatchObject([{ isError: false }]));
}

test('an error of JSON-RPC ends the turn with all that it says', () => {
  const wire = working().says(end('one', { error: { code: -32_603, message: 'Internal error', data: { details: 'no credit' } } }));
  expect(wire.of('turn.ended')).toMatchObject([{ isError: true, errors: ['Internal error: no credit'] }]);
});

test('an agent that never answers the mark has its turn all the same', () => {
  const wire = open().says(end('one', { result: { stopReason: 'max_tokens' } }));
  expect(wire.told.slice(-3).map(({ type }) => type)).toEqual(['turn.began', 'input.taken', 'turn.ended']);
});

test('a text ends where something else begins', () => {
  const wire = working()
    .news(text('one '))
    .news(text('two'))
    .news({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'x', kind: 'read', status: 'in_progress' });
  expect(wire.told.slice(-2)).toMatchObject([
    { type: 'assistant.text', text: 'one two' },
    { type: 'tool.started', name: 'read' },
  ]);
});

test('a long text becomes more than one item, between lines and outside of code where it can', () => {
  const wire = working();
  for (let line = 0; line < 400; line += 1) wire.news(text(`${line % 50 === 10 || line % 50 === 30 ? '```' : 'some words of one line'}\n`));
  wire.says(end('one', { result: { stopReason: 'end_turn' } }));
  const items = wire.of('assistant.text').map((item) => item.text);
  expect(items.length).toBeGreaterThan(1);
  for (const item of items) expect([item.endsWith('\n'), (item.match(/```/g)?.length ?? 0) % 2, item.length < 8000]).toEqual([true, 0, true]);
  expect(items.join('').split('\n')).toHaveLength(401);
});

test('a call is shown with its whole arguments: when it runs, or when the agent goes on', () => {
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Terminal', name: 'Bash', kind: 'execute', status: 'pending', rawInput: {} };
  const wire = working()
    .news(call)
    .news({ sessionUpdate: 'tool_call_update', toolCallId: 't', rawInput: { command: 'ls' } });
  expect(wire.of('tool.started')).toEqual([]);
  wire.news({ sessionUpdate: 'usage_update', used: 1, size: 2 });
  expect(wire.of('tool.started')).toMatchObject([{ name: 'Bash', input: { command: 'ls' } }]);
});

test('the cost of a turn is what the session costs more; nothing is told of an agent that does not tell', () => {
  const usage = (amount: number) => ({ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount, currency: 'USD' } });
  const ended = { result: { stopReason: 'end_turn' } };
  const wire = working().news(text('a')).news(usage(1)).says(end('one', ended)).says(begin('two')).news(text('b')).news(usage(1.5)).says(end('two', ended));
  expect(wire.of('turn.ended').map(({ costUsd }) => costUsd)).toEqual([1, 0.5]);
  expect(working().news(text('a')).says(end('one', ended)).of('turn.ended')[0]).not.toHaveProperty('costUsd');
});

test('a plan is shown with every change of it', () => {
  const entries = [
    { content: 'look', status: 'completed', priority: 'high' },
    { content: 'change', status: 'pending', priority: 'low' },
  ];
  const wire = working().news({ sessionUpdate: 'plan', entries }).news({ sessionUpdate: 'plan', entries: [] });
  expect(wire.of('tool.completed').map(({ output }) => output)).toEqual(['[x] look\n[ ] change', '']);
});

test('what we do not offer is refused at once, so that nobody waits', () => {
  const wire = working().says({ id: 7, method: 'terminal/create', params: {} });
  expect(JSON.parse(wire.replies[0] ?? '')).toMatchObject({ id: 7, error: { code: -32_601 } });
});

test('levels of thinking that an agent calls modes are no permission modes', () => {
  const modes = (ids: readonly string[]) => ({
    result: { sessionId: 's', modes: { currentModeId: ids[0], availableModes: ids.map((id) => ({ id, name: id })) } },
  });
  expect(
    greeted()
      .answers(modes(['low', 'high']))
      .of('session.started')[0],
  ).not.toHaveProperty('permissionMode');
  expect(
    greeted()
      .answers(modes(['build', 'plan']))
      .of('session.started'),
  ).toMatchObject([{ permissionMode: 'build' }]);
});

test('what an agent can do is told by itself: in the handshake, by what it offers to choose from, and by doing it', () => {
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
  const can = { resume: true, images: true, fork: true, setModel: true, setThinking: true, modes: ['plan'] };
  expect(rich.of('capabilities.told')).toEqual([{ type: 'capabilities.told', can }]);
  const worked = working()
    .news({ ...text('hm'), sessionUpdate: 'agent_thought_chunk' })
    .news({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: 'USD' } });
  expect(worked.of('capabilities.told').slice(1)).toMatchObject([{ can: { thinking: true } }, { can: { cost: true } }]);
});

function meet(answer: object, session: object): Wire {
  const wire = new Wire();
  wire.replies = [...greeting(opening())];
  return wire.answers(answer).answers({ result: { sessionId: 's', ...session } });
}

test('a copy is asked for by name of the original where the agent tells that it can, and is refused where it does not', () => {
  const wire = new Wire();
  wire.replies = [...greeting(opening({ mode: 'fork', agentSessionId: 'original' }))];
  wire.answers({ result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { fork: {} } } } });
  expect(JSON.parse(wire.replies[0] ?? '')).toMatchObject({ method: 'session/fork', params: { sessionId: 'original' } });
  const fork = [...wire.replies];
  wire.news(text('said in the original'));
  wire.replies = fork;
  wire.answers({ result: { sessionId: 'copy' } });
  expect(wire.told.map(({ type }) => type)).toEqual(['session.started', 'capabilities.told', 'agent.ready']);
  expect(wire.of('session.started')).toMatchObject([{ agentSessionId: 'copy' }]);
  const unable = new Wire();
  unable.replies = [...greeting(opening({ mode: 'fork', agentSessionId: 'original' }))];
  expect(unable.answers({ result: { protocolVersion: 1 } }).of('notice.shown')).toMatchObject([{ text: 'This agent cannot copy a conversation.' }]);
});

test('news of a call that is over, late or twice, do not begin it again', () => {
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'x', status: 'completed' };
  const wire = working()
    .news(call)
    .news({ ...call, sessionUpdate: 'tool_call_update' });
  wire.news({ ...call, toolCallId: 'left open', status: 'in_progress' }).says(end('one', { result: { stopReason: 'cancelled' } }));
  wire.news({ sessionUpdate: 'tool_call_update', toolCallId: 'left open', status: 'failed' });
  expect(wire.of('tool.started').map(({ toolUseId }) => toolUseId)).toEqual(['t', 'left open']);
  expect(wire.of('tool.completed').map(({ toolUseId }) => toolUseId)).toEqual(['t']);
});

test('arguments that are long are shown whole, though they are not kept', () => {
  const rawInput = { content: 'x'.repeat(10_000) };
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Write', kind: 'edit', status: 'pending' };
  const wire = working().news(call).news({ sessionUpdate: 'tool_call_update', toolCallId: 't', rawInput }).news(text('on'));
  expect(wire.of('tool.started')).toMatchObject([{ input: rawInput }]);
  expect(JSON.stringify(wire.state).length).toBeLessThan(5000);
});
