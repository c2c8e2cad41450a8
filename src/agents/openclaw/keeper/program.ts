import { serve } from './serve.ts';
import { start } from './start.ts';

// A program of ours, one for each OpenClaw of a person: it has the connection to the Gateway, for all sessions.
// Arguments: `start` (begin one in the background, end when it is there) or `serve` (be it); its folder; the command of OpenClaw.
const [what, folder = '', ...openclaw] = process.argv.slice(2);
if (what === 'serve') await serve(folder, openclaw);
else process.exit(await start(folder, openclaw));
