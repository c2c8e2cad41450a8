import { parseArgs } from 'node:util';
import { AGENTS } from '../../src/agents/index.ts';
import { loadConfig } from '../../src/config.ts';
import { AgentId } from '../../src/protocol/ids.ts';
import { serve } from '../../src/serve.ts';
import { standInAdapter } from './stand-in-adapter/index.ts';

// The real server, wired as in main.ts, plus agents that only tests have: the stand-in, and a second version of each CLI. Its path is in the variable
// `<CLI VARIABLE>_2`, and its id ends with `:2`.
const secondVersions = AGENTS.filter((agent) => agent.locate.variable !== undefined).map((agent) => ({
  ...agent,
  id: AgentId.parse(`${agent.id}:2`),
  locate: { ...agent.locate, variable: `${agent.locate.variable}_2`, names: [] },
}));

const { values } = parseArgs({
  options: { port: { type: 'string' }, data: { type: 'string' }, json: { type: 'boolean' } },
  strict: false,
  allowNegative: true,
});
const flags = { port: Number(values.port), data: values.data, json: true, open: false };
process.exitCode = await serve(loadConfig({ flags, env: process.env }), [...AGENTS, ...secondVersions, standInAdapter]);
