import { join } from 'node:path';
import { recordingsIn, testContract } from '../../../test/support/agent-contract.ts';
import { codex } from './index.ts';

const folder = join(import.meta.dirname, 'recordings');
testContract({ adapter: codex, recordings: recordingsIn(folder), folder, unrecognized: { because: '', reasons: [] } });
