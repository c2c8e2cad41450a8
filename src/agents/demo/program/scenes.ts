import { COMMANDS, type CommandName } from './about.ts';
import { LONG_TEXT, PLAN, QUESTION, THOUGHT } from './lines.ts';
import type { Input, ToolOutcome } from './tool-use.ts';
import { runCommand, writeNotes } from './tools.ts';
import type { Turn } from './turn.ts';

type Scene = (turn: Turn) => Promise<void>;

/** The scene that a message asks for: by its first word, else by the first word it contains that names one. */
export function sceneFor(text: string): Scene {
  const words: string[] = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const name = words.find(isCommand);
  return name ? SCENES[name] : greet;
}

const isCommand = (word: string): word is CommandName => COMMANDS.some((command) => command.name === word);

const SCENES: Readonly<Record<CommandName, Scene>> = {
  async write(turn) {
    await turn.think('The person wants to see a file change. I will add one line to my notes and show the difference.');
    await turn.say('I will add a line to `demo-notes.md`. You decide whether I may.');
    const done = await turn.use(writeNotes(turn.cwd, argumentOf(turn, 'write') || `Line ${turn.before.length + 1}, written on request.`));
    await turn.say(wasDone(done, 'Done. The change is shown above; the file lies in the folder of this session.'));
  },
  async run(turn) {
    const command = argumentOf(turn, 'run') || 'ls -la';
    await turn.say(`I would like to run \`${command}\`. It is a real command on this machine.`);
    const done = await turn.use(runCommand(turn.cwd, command));
    await turn.say(wasDone(done, 'It ran, and its output is above, as the machine gave it.'));
  },
  async think(turn) {
    await turn.think(THOUGHT);
    await turn.say('I have thought it over: **trains and agents are best watched by someone who can stop them.**');
  },
  async ask(turn) {
    await turn.say('I have a question for you.');
    const done = await turn.use({ name: 'AskUserQuestion', kind: 'question', title: QUESTION.question, input: { questions: [QUESTION] }, run: readAnswer });
    await turn.say(wasDone(done, `Thank you. ${done.output}`));
  },
  async plan(turn) {
    await turn.think('A plan first, so that nothing happens unasked.');
    const done = await turn.use({
      name: 'ExitPlanMode',
      kind: 'plan',
      title: 'A plan',
      input: { plan: PLAN },
      run: () => ({ output: 'The plan was approved.', error: false }),
    });
    await turn.say(wasDone(done, 'Approved. This is where a real agent would begin to work.'));
  },
  async long(turn) {
    await turn.say(longText(Number(argumentOf(turn, 'long')) || 300));
  },
  async wait(turn) {
    await turn.say('I wait. Interrupt me when you have seen enough.');
    await turn.waitForPerson();
  },
  async remember(turn) {
    const before = turn.before.map((text, n) => `${n + 1}. ${text}`).join('\n');
    await turn.say(before ? `You said, in this order:\n\n${before}` : 'This is the first thing you say to me.');
  },
  async echo(turn) {
    await turn.say(argumentOf(turn, 'echo') || 'Echo.');
  },
  async fail(turn) {
    await turn.say('I will fail now, as you asked.');
    await turn.use({ ...runCommand(turn.cwd, 'ls /this/folder/does/not/exist'), title: 'A command that fails' });
    throw new Error('The demo agent failed because it was asked to.');
  },
  async crash(turn) {
    await turn.say('My process ends in the middle of this turn.');
    process.exit(3);
  },
};

async function greet(turn: Turn): Promise<void> {
  const offers = COMMANDS.map((command) => `- **${command.name}**: ${command.description}`).join('\n');
  await turn.say(
    `Hello! I am the demo agent of **Signalbox**: no model, no account, but a real program that runs on this machine.\n\nSignalbox lets you start, watch and steer coding agents from any browser. What you type and what an agent prints is kept, even if the page, the network or the server dies.\n\nTry one of these words:\n\n${offers}\n`,
  );
}

const argumentOf = (turn: Turn, name: CommandName): string => new RegExp(`^\\s*${name}\\b[:,]?\\s*(.*)$`, 'is').exec(turn.text)?.[1]?.trim() ?? '';

function wasDone(outcome: ToolOutcome, text: string): string {
  if (!outcome.error) return text;
  return outcome.denied ? `You said no (“${outcome.output}”), so I left it alone.` : `That did not work: ${outcome.output}`;
}

function readAnswer(input: Input): ToolOutcome {
  const answers = Object.values(typeof input.answers === 'object' && input.answers !== null ? input.answers : {});
  return { output: answers.length > 0 ? `You chose: ${answers.join(', ')}.` : 'You let me go on without choosing.', error: false };
}

/** Whole paragraphs again and again, cut at the word asked for. */
function longText(words: number): string {
  const all = LONG_TEXT.match(/\S+\s*/g) ?? [];
  return Array.from({ length: words }, (_, n) => all[n % all.length])
    .join('')
    .trimEnd();
}
