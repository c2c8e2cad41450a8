import { expect, test } from 'vitest';
import { AGENT_TOOLS, listedTools, TOOL_NAMES } from './agent-tools.ts';

/** A model's tokenizer makes fewer tokens of English and JSON than this. */
const CHARS_PER_TOKEN = 3;

test('[R406] all tools together cost a model less than 1,500 tokens', () => {
  expect(AGENT_TOOLS.map(({ name }) => name)).toEqual([...TOOL_NAMES]);
  const chars = JSON.stringify(listedTools(true).map(({ readOnly: _, ...tool }) => tool)).length;
  expect(chars / CHARS_PER_TOKEN).toBeLessThan(1500);
});

test('a person’s own program is not offered what only an agent that Signalbox runs can use', () => {
  expect(listedTools(false).map(({ name }) => name)).toEqual(['find_sessions', 'read_session', 'start_session', 'send_to_session']);
});
