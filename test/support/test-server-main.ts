import { parseArgs } from 'node:util';
import { AGENTS } from '../../src/agents/index.ts';
import { loadConfig } from '../../src/config.ts';
import { AgentId } from '../../src/protocol/ids.ts';
import { serve } from '../../src/serve.ts';
import { standInAdapter } from './stand-in-adapter/index.ts';

// The real server, wired as main.ts does, with agents that only tests have: the stand-in, and a second version of each CLI that a variable
// `<ITS VARIABLE>_2` names, under its id with `:2` behind it.
const seconds = AGENTS.filter((agent) => agent.locate.variable !== undefined).map((agent) => ({
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
process.exitCode = await serve(loadConfig({ flags, env: process.env }), [...AGENTS, ...seconds, standInAdapter]);
