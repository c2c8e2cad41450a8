import { claudeCode } from '../support/live-suite/agents.ts';
import { liveSuite } from '../support/live-suite/live-suite.ts';

for (const version of ['2.1.197', '2.1.325'] as const) liveSuite(claudeCode(version));
