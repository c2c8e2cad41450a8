/** Raised when the program's lines or its behaviour change. */
export const VERSION = '1';

export const TOOLS = ['Write', 'Edit', 'Bash', 'AskUserQuestion', 'ExitPlanMode'];

/** What a person can type, in the order the greeting offers it. */
export const COMMANDS = [
  { name: 'write', description: 'add a line to demo-notes.md in this folder, after asking you' },
  { name: 'run', description: 'run a harmless command (`run date`, `run ls -la`), after asking you' },
  { name: 'think', description: 'think aloud before answering' },
  { name: 'ask', description: 'ask you a question' },
  { name: 'plan', description: 'propose a plan and wait for your word' },
  { name: 'long', description: 'write a long answer (`long 500` for 500 words), good for trying to interrupt' },
  { name: 'wait', description: 'do nothing until you interrupt' },
  { name: 'remember', description: 'tell what you said before, also after a restart' },
  { name: 'echo', description: 'say your own words back' },
  { name: 'fail', description: 'fail in mid-turn, to see what an error looks like' },
  { name: 'crash', description: 'end the process in mid-turn, to see what survives' },
] as const;

export type CommandName = (typeof COMMANDS)[number]['name'];
