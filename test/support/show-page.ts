import { openReplayServer } from './replay-server.ts';
import { sampleSessions } from './sample-sessions.ts';

/** Serves the built page with the sample deck, to look at by hand: `npx tsx test/support/show-page.ts`. */
const replay = await openReplayServer(sampleSessions(), new URL('../../dist/web', import.meta.url).pathname);
console.log(replay.url);
