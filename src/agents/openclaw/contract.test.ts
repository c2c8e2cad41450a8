import { join } from 'node:path';
import { recordingsIn, testContract } from '../../../test/support/agent-contract.ts';
import { openclaw } from './index.ts';

const folder = join(import.meta.dirname, 'recordings');
testContract({ adapter: openclaw, recordings: recordingsIn(folder), folder, unrecognized: { because: '', reasons: [] } });
