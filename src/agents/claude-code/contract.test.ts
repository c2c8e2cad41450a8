import { join } from 'node:path';
import { testContract } from '../../../test/support/agent-contract.ts';
import { readRecordings } from '../../../test/support/agents/claude-recordings.ts';
import { claudeCode } from './index.ts';

testContract({
  adapter: claudeCode,
  recordings: readRecordings(),
  folder: join(import.meta.dirname, 'recordings'),
  unrecognized: {
    because: ', except those of features that we do not use',
    // Signalbox registers no hook callbacks; the client of that recording did.
    reasons: Array(3).fill('2.1.197-control-hooks-callback: a request of kind hook_callback, which was refused'),
  },
});
