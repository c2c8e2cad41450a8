import { join } from 'node:path';
import * as z from 'zod/mini';
import { recordingsIn, testContract } from '../../../test/support/agent-contract.ts';
import { recordedLines } from '../../../test/support/agents/acp-recordings.ts';
import { AcpAgentConfig } from './agent-config.ts';
import { acpAgent } from './index.ts';

const folder = join(import.meta.dirname, 'recordings');
const UNASKED: readonly (readonly [recording: string, answers: number])[] = [
  ['claude-agent-acp-0.99.0-load', 2],
  ['claude-agent-acp-0.99.0-work', 3],
  ['gemini-0.61.0-hello', 2],
  ['openclaw-2026.9.6-load', 2],
  ['openclaw-2026.9.6-work', 3],
  ['pi-acp-0.0.34-load', 2],
  ['pi-acp-0.0.34-work', 3],
];
testContract({
  adapter: acpAgent('acp:any', z.parse(AcpAgentConfig, { title: 'Any agent', command: 'any' })),
  recordings: recordingsIn(folder, recordedLines),
  folder,
  unrecognized: {
    because: ', except answers to requests that we do not make',
    reasons: UNASKED.flatMap(([recording, answers]) => Array<string>(answers).fill(`${recording}: an answer in a shape not seen before`)),
  },
});
