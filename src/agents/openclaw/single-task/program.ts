import { serveTask } from './serve-task.ts';

// Takes the Gateway's place. Arguments: `exec` for a single task without a record, or `agent` for a conversation with one process per message;
// the folder; the OpenClaw command.
const [way, cwd = '.', ...openclaw] = process.argv.slice(2);
await serveTask(way === 'agent' ? 'agent' : 'exec', cwd, openclaw);
