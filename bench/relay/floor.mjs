// The floor of the relay benchmark: the least a Node program can do to show an agent in a browser, with no safety at all.
// Spawn → parse each line → append it to a file → send it over a WebSocket. An agent here dies with this process, and its input is stored nowhere.
//
//   node bench/relay/floor.mjs --sessions N --folder DIR -- COMMAND [ARG...]
//
// Prints {"url","pid","agents":[pid,…]} when all agents are running. A client sends {"session":i,"line":"…"}; the line goes to that agent's stdin.
// Every line of an agent comes back as {"type":"line","session":i,"line":{…}}. SIGTERM ends it and its agents.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocketServer } from 'ws';

const { values, positionals } = parseArgs({
  options: { sessions: { type: 'string', default: '1' }, folder: { type: 'string' } },
  allowPositionals: true,
});
const [command, ...args] = positionals;
if (!command || !values.folder) throw new Error('usage: floor.mjs --sessions N --folder DIR -- COMMAND [ARG...]');

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
const agents = Array.from({ length: Number(values.sessions) }, (_, session) => relay(session, values.folder));

server.on('connection', (socket) => {
  socket.on('message', (raw) => {
    const { session, line } = JSON.parse(String(raw));
    agents[session]?.stdin.write(`${line}\n`);
  });
});
server.once('listening', () => {
  console.log(JSON.stringify({ url: `ws://127.0.0.1:${server.address().port}`, pid: process.pid, agents: agents.map((agent) => agent.pid) }));
});
process.once('SIGTERM', () => {
  for (const agent of agents) agent.kill('SIGKILL');
  process.exit(0);
});

function relay(session, folder) {
  const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const file = createWriteStream(join(folder, `floor-${session}.ndjson`), { flags: 'a' });
  let rest = '';
  agent.stdout.setEncoding('utf8');
  agent.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const text of lines) {
      const line = JSON.parse(text);
      if (typeof line.type !== 'string') continue;
      file.write(`${text}\n`);
      // Sends the text unchanged: serializing it again would make the floor slower than it has to be.
      const frame = `{"type":"line","session":${session},"line":${text}}`;
      for (const client of server.clients) client.send(frame);
    }
  });
  return agent;
}
