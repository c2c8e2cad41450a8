import { COMMANDS, type CommandName } from './catalog.ts';
import { checkLimit, reachLimit } from './limit.ts';
import { LONG_TEXT, PLAN, QUESTION, THOUGHT } from './texts.ts';
import type { Input, ToolCall, ToolOutcome } from './tool-use.ts';
import { editNotes, fetchPage, hasNotes, lookAround, picture, runCommand, setSignal, writeNotes } from './tools.ts';
import type { Turn } from './turn.ts';

type CommandHandler = (turn: Turn) => Promise<void>;

/** The handler for a message: by its first word, else by the first word in it that names one. */
export function handlerFor(text: string): CommandHandler {
  const ownTool = /^tool (\w+) (\{.*\})$/s.exec(text.trim());
  if (ownTool !== null) return (turn) => useSignalbox(turn, ownTool[1] ?? '', ownTool[2] ?? '');
  const words: string[] = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const name = words.find((word, at) => isCommand(word) && (at === 0 || !ONLY_FIRST.includes(word)));
  const handler = name !== undefined && isCommand(name) ? HANDLERS[name] : greet;
  return async (turn) => {
    checkLimit(turn);
    await (turn.settings.mode === 'plan' && name !== undefined && CHANGES.includes(name) ? planFirst(turn, handler) : handler(turn));
  };
}

/** `tool NAME {…}` calls one of Signalbox's own tools and repeats the result. */
async function useSignalbox(turn: Turn, name: string, json: string): Promise<void> {
  const input = JSON.parse(json) as Input;
  const run = ({ text, isError }: Input): ToolOutcome => ({ output: String(text), error: isError === true });
  const { output } = await turn.use({ name, kind: 'call', title: name, input, run });
  await turn.say(`The tool said: ${output}`);
}

/** Commands that only count as the first word, so that nobody triggers them by chance in a sentence. */
const ONLY_FIRST: readonly string[] = ['limit', 'fail', 'crash'] satisfies CommandName[];

const isCommand = (word: string): word is CommandName => COMMANDS.some((command) => command.name === word);

/** Commands that a plan-only session must not start with. */
const CHANGES: readonly string[] = ['write', 'edits', 'run', 'web', 'mcp', 'subagent'];

const HANDLERS: Readonly<Record<CommandName, CommandHandler>> = {
  async write(turn) {
    await turn.think('The user wants to see a file change. I will add one line to my notes and show the diff.');
    await turn.say('I will add a line to `demo-notes.md`, if you allow it.');
    const done = await turn.use(writeNotes(turn.cwd, argumentOf(turn, 'write') || `Line ${turn.before.length + 1}, written on request.`));
    await turn.say(wasDone(done, "Done. The change is shown above; the file is in this session's folder."));
  },
  async edits(turn) {
    if (!hasNotes(turn.cwd)) await turn.use(writeNotes(turn.cwd, 'The first line.'));
    await turn.say('I will make two edits to `demo-notes.md` at once.');
    const done = await turn.use(editNotes(turn.cwd));
    await turn.say(wasDone(done, 'Both edits are done.'));
  },
  async run(turn) {
    const command = argumentOf(turn, 'run') || 'ls -la';
    await turn.say(`I would like to run \`${command}\`. It is a real command on this machine.`);
    const done = await turn.use(runCommand(turn.cwd, command));
    await turn.say(wasDone(done, 'It ran. Its real output is above.'));
  },
  async web(turn) {
    const done = await turn.use(fetchPage(argumentOf(turn, 'web') || 'https://example.org/timetable'));
    await turn.say(wasDone(done, 'You allowed it. A real agent would have read the page.'));
  },
  async mcp(turn) {
    const done = await turn.use(setSignal());
    await turn.say(wasDone(done, 'The made-up signal is set.'));
  },
  async subagent(turn) {
    await turn.say('A subagent will look around for me.');
    const done = await turn.use(lookAround(turn));
    await turn.say(wasDone(done, 'The subagent is done. What it found is inside its call.'));
  },
  async picture(turn) {
    const done = await turn.use(picture());
    await turn.say(wasDone(done, 'A clear signal, drawn just now.'));
  },
  async think(turn) {
    await turn.think(THOUGHT);
    await turn.say('I thought about it: **trains and agents are best watched by someone who can stop them.**');
  },
  async ask(turn) {
    await turn.say('I have a question for you.');
    const done = await turn.use({ name: 'AskUserQuestion', kind: 'question', title: QUESTION.question, input: { questions: [QUESTION] }, run: readAnswer });
    await turn.say(wasDone(done, `Thank you. ${done.output}`));
  },
  async plan(turn) {
    await turn.think('I should propose a plan first, so that nothing happens without approval.');
    const done = await turn.use(proposal(PLAN));
    await turn.say(wasDone(done, 'Approved. This is where a real agent would start working.'));
  },
  async long(turn) {
    await turn.say(longText(Number(argumentOf(turn, 'long')) || 300));
  },
  async wait(turn) {
    await turn.say('I am waiting. Interrupt me when you have seen enough, or send “enough” during this turn.');
    for (let words = ''; !/\benough\b/i.test(words); words = await turn.waitForPerson());
  },
  async remember(turn) {
    const before = turn.before.map((text, n) => `${n + 1}. ${text}`).join('\n');
    await turn.say(before ? `You said, in this order:\n\n${before}` : 'This is your first message.');
  },
  async echo(turn) {
    await turn.say(argumentOf(turn, 'echo') || 'Echo.');
  },
  async limit(turn) {
    await turn.say('I will hit a limit now, as you asked.');
    await reachLimit(turn, Number.parseInt(argumentOf(turn, 'limit'), 10));
  },
  async fail(turn) {
    await turn.say('I will fail now, as you asked.');
    await turn.use({ ...runCommand(turn.cwd, 'ls /this/folder/does/not/exist'), title: 'A command that fails' });
    throw new Error('The demo agent failed because it was asked to.');
  },
  async crash(turn) {
    await turn.say('My process will crash in the middle of this turn.');
    process.exit(3);
  },
};

/** In a plan-only session, a change starts with a plan; the approval includes the mode to continue in. */
async function planFirst(turn: Turn, handler: CommandHandler): Promise<void> {
  await turn.think('I can only plan here, so I will say what I would do.');
  const done = await turn.use(proposal(`1. Do what was asked: “${turn.text.trim()}”\n2. Show the result\n3. Stop`));
  if (done.error) return turn.say(wasDone(done, ''));
  if (turn.settings.mode === 'plan') return turn.say('Approved. Choose another mode, and I will start.');
  await handler(turn);
}

const proposal = (plan: string): ToolCall => ({
  name: 'ExitPlanMode',
  kind: 'plan',
  title: 'A plan',
  input: { plan },
  run: (input) => ({
    output: input.plan === plan ? 'The plan was approved.' : `The plan was approved with your changes:\n${String(input.plan)}`,
    error: false,
  }),
});

async function greet(turn: Turn): Promise<void> {
  const offers = COMMANDS.map((command) => `- **${command.name}**: ${command.description}`).join('\n');
  await turn.say(
    `Hello! I am **Signalbox**'s demo agent: no model, no account, but a real program running on this machine.\n\nSignalbox lets you start, watch and steer coding agents from any browser. What you type and what an agent prints is saved, even if the page, the network or the server dies.\n\nTry one of these words:\n\n${offers}\n`,
  );
}

const argumentOf = (turn: Turn, name: CommandName): string => new RegExp(`^\\s*${name}\\b[:,]?\\s*(.*)$`, 'is').exec(turn.text)?.[1]?.trim() ?? '';

function wasDone(outcome: ToolOutcome, text: string): string {
  if (!outcome.error) return text;
  return outcome.denied ? `You said no (“${outcome.output}”), so I did not do it.` : `That did not work: ${outcome.output}`;
}

function readAnswer(input: Input): ToolOutcome {
  const answers = Object.values(typeof input.answers === 'object' && input.answers !== null ? input.answers : {}).flat();
  return { output: answers.length > 0 ? `You chose: ${answers.join(', ')}.` : 'You continued without choosing.', error: false };
}

/** Repeats whole paragraphs, cut at the requested number of words. */
function longText(words: number): string {
  const all = LONG_TEXT.match(/\S+\s*/g) ?? [];
  return Array.from({ length: words }, (_, n) => all[n % all.length])
    .join('')
    .trimEnd();
}
