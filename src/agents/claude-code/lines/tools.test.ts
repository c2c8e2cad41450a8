import { expect, test } from 'vitest';
import { TOOL_NAMES } from '../../../protocol/agent-tools.ts';
import type { LaunchContext } from '../../port/adapter.ts';
import { launch } from '../launch.ts';
import { translate } from '../translate.ts';
import { encode, handshake } from './encode.ts';
import { initial } from './state.ts';

const message = (body: object, requestId = 'q1') =>
  JSON.stringify({
    type: 'control_request',
    request_id: requestId,
    request: { subtype: 'mcp_message', server_name: 'signalbox', message: { jsonrpc: '2.0', ...body } },
  });
const replyTo = (body: object) => JSON.parse(translate(initial(), message(body)).replies[0] ?? '{}').response;

test('the handshake of MCP is answered at once, with the exact ids', () => {
  expect(replyTo({ method: 'initialize', id: 0, params: { protocolVersion: '2025-11-25' } })).toMatchObject({
    subtype: 'success',
    request_id: 'q1',
    response: { mcp_response: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } } },
  });
  expect(replyTo({ method: 'tools/list', id: 'x' }).response.mcp_response.result.tools).toHaveLength(TOOL_NAMES.length);
  expect(replyTo({ method: 'notifications/initialized' }).response.mcp_response).toMatchObject({ result: {} });
  expect(replyTo({ method: 'prompts/list', id: 3 }).response.mcp_response.error.code).toBe(-32601);
});

test('a call is reported, and its answer names the request and the JSON-RPC id', () => {
  const params = { name: 'ask_person', arguments: { question: 'Which?' }, _meta: { 'claudecode/toolUseId': 'toolu_1' } };
  const { observations, replies } = translate(initial(), message({ method: 'tools/call', id: 2, params }));
  expect([observations, replies]).toEqual([
    [{ type: 'tool.called', agentRequestId: '["q1",2]', toolUseId: 'toolu_1', tool: 'ask_person', input: { question: 'Which?' } }],
    [],
  ]);
  const [line = ''] = encode({ kind: 'tool-answer', agentRequestId: '["q1",2]', text: 'This one', isError: false }, initial());
  expect(JSON.parse(line).response).toEqual({
    subtype: 'success',
    request_id: 'q1',
    response: { mcp_response: { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'This one' }] } } },
  });
});

test('[R412] only with tools does the CLI get our server, its approval, and no limit on waiting', () => {
  const context: LaunchContext = {
    cwd: '/w',
    options: {},
    mode: 'new',
    agentSessionId: 'a',
    executable: 'claude',
    packageRoot: '/p',
    env: { MCP_TOOL_TIMEOUT: '3000' },
  };
  const withTools = launch({ ...context, toolServer: 'signalbox' });
  expect([withTools.args.includes('--allowedTools=mcp__signalbox'), withTools.env.MCP_TOOL_TIMEOUT]).toEqual([true, undefined]);
  expect([launch(context).args.join(' ').includes('signalbox'), launch(context).env.MCP_TOOL_TIMEOUT]).toEqual([false, '3000']);
  expect([handshake({ options: {} }).join('').includes('sdkMcpServers'), handshake({ options: {}, toolServer: 'signalbox' }).join('')]).toEqual([
    false,
    expect.stringContaining('"sdkMcpServers":["signalbox"]'),
  ]);
});
