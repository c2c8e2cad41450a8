import { serveTask } from './serve-task.ts';

// Takes the Gateway's place for a session with a single task and no record. Arguments: its folder; the OpenClaw command.
const [cwd = '.', ...openclaw] = process.argv.slice(2);
await serveTask(cwd, openclaw);
