import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createAgent } from './program/agent.ts';
import { MODELS, VERSION } from './program/catalog.ts';
import { openConversation } from './program/conversation-file.ts';
import { sessionFolder } from './program/session-file.ts';

// The demo agent: a real child program on stdin and stdout, with scripted but honest behavior. It needs nothing but Node.
const { values } = parseArgs({
  options: {
    session: { type: 'string' },
    resume: { type: 'string' },
    'fork-of': { type: 'string' },
    'permission-mode': { type: 'string', default: 'default' },
    model: { type: 'string', default: MODELS[0].value },
    thinking: { type: 'string', default: 'medium' },
    after: { type: 'string' },
    version: { type: 'boolean' },
  },
});

if (values.version) process.stdout.write(`${VERSION}\n`);
else serve(values.session ?? values.resume ?? 'demo');

function serve(session: string): void {
  const folder = sessionFolder(process.env);
  const conversation = openConversation(folder, session, { mustExist: values.resume !== undefined, copyOf: values['fork-of'], after: values.after });
  if ('missing' in conversation) {
    process.stderr.write(`No conversation found with session ID: ${conversation.missing}\n`);
    process.exitCode = 1;
    return;
  }
  const agent = createAgent({
    session,
    cwd: process.cwd(),
    settings: { mode: values['permission-mode'], model: values.model, thinking: values.thinking, granted: new Set(), limitedUntil: 0 },
    paceMs: Number(process.env.DEMO_AGENT_PACE_MS ?? 25), // about as fast as a slow model
    conversation,
    write: (line) => void process.stdout.write(`${line}\n`),
  });
  createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
    .on('line', (line) => agent.take(line))
    .on('close', () => agent.endOfInput());
  process.on('SIGINT', () => agent.leave());
}
