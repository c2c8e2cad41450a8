import { once } from './once.ts';

// A program of ours that stands in the Gateway's place for a session with a single task and no record. Arguments: its folder; the command of OpenClaw.
const [cwd = '.', ...openclaw] = process.argv.slice(2);
await once(cwd, openclaw);
