import { join } from 'node:path';
import { recordingsIn, testContract } from '../../../test/support/agent-contract.ts';
import { pi } from './index.ts';

const folder = join(import.meta.dirname, 'recordings');
// The client of these recordings sent unknown commands and invalid lines; Pi answers those without an id.
const reasons = [
  '0.73.1-tools: an answer without an id: Unknown command: get_entries',
  '0.73.1-tools: an answer without an id: Unknown command: get_tree',
  '0.73.1-tools: an answer without an id: Unknown command: get_available_thinking_levels',
  '0.73.1-tools: an answer without an id: Unknown command: bogus',
  '0.73.1-tools: an answer without an id: Failed to parse command: Unexpected token \'o\', "not json" is not valid JSON',
  '0.87.1-tools: an answer without an id: Unknown command: bogus',
  '0.87.1-tools: an answer without an id: Failed to parse command: Unexpected token \'o\', "not json" is not valid JSON',
];
testContract({ adapter: pi, recordings: recordingsIn(folder), folder, unrecognized: { because: ', except answers to requests that we do not make', reasons } });
