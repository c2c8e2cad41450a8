import { serve } from './serve.ts';
import { start } from './start.ts';

// The keeper: one for each OpenClaw state folder, with the only connection to the Gateway for all sessions.
// Arguments: `start` (start one in the background and exit once it runs) or `serve` (be the keeper); its folder; the OpenClaw command.
const [what, folder = '', ...openclaw] = process.argv.slice(2);
if (what === 'serve') await serve(folder, openclaw);
else process.exit(await start(folder, openclaw));
