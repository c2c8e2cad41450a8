import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import { liveSuite } from '../support/live-suite/live-suite.ts';

for (const agent of LIVE_AGENTS.claudeCode()) liveSuite(agent);
