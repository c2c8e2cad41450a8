/** Raise it when the program's lines or behavior change. */
export const VERSION = '2';

export const TOOLS = ['Write', 'Edit', 'MultiEdit', 'Bash', 'WebFetch', 'Task', 'Picture', 'mcp__signals__set_aspect', 'AskUserQuestion', 'ExitPlanMode'];

/** Two invented models; the second is slower. */
export const MODELS = [
  { value: 'signal-1', title: 'Signal (fast)' },
  { value: 'semaphore-1', title: 'Semaphore (slow)' },
] as const;

export const MODES = ['default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions'];
export const LEVELS = ['off', 'low', 'medium', 'high', 'max'];

/** What a person can type, in the order the greeting offers it. */
export const COMMANDS = [
  { name: 'write', description: 'add a line to demo-notes.md in this folder, after asking you' },
  { name: 'edits', description: 'make several edits to demo-notes.md at once, after asking you' },
  { name: 'run', description: 'run a harmless command (`run date`, `run ls -la`), after asking you' },
  { name: 'web', description: 'ask to fetch a page (`web https://example.org`); nothing is actually fetched' },
  { name: 'mcp', description: 'ask to use a tool of a made-up MCP server' },
  { name: 'subagent', description: 'let a subagent look around; it asks you too' },
  { name: 'think', description: 'show some thinking before answering' },
  { name: 'ask', description: 'ask you a question' },
  { name: 'plan', description: 'propose a plan and wait for your approval' },
  { name: 'picture', description: "draw a small picture; send me one and I'll tell you what I got" },
  { name: 'long', description: 'write a long answer (`long 500` for 500 words), good for trying to steer or interrupt' },
  { name: 'wait', description: 'do nothing until you interrupt, or steer me with a message' },
  { name: 'remember', description: 'repeat what you said before, even after a restart' },
  { name: 'echo', description: 'repeat your message' },
  { name: 'limit', description: 'hit a usage limit that resets after a while (`limit 30` for 30 seconds)' },
  { name: 'fail', description: 'fail mid-turn, to see what an error looks like' },
  { name: 'crash', description: 'crash mid-turn, to see what survives' },
] as const;

export type CommandName = (typeof COMMANDS)[number]['name'];
