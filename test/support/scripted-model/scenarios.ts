import { isAbsolute, join } from 'node:path';
import type { Scene } from './conversation.ts';
import { OWN_TOOL } from './dialect.ts';
import { callTools, fail, limited, type Reply, say } from './reply.ts';

export type Scenario = (scene: Scene) => Reply;

/** What the model does when the prompt says `@KEYWORD argument`. A scenario with tools continues by its step. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  PLAIN: ({ argument }) => say(`Plain answer to: ${argument}`),
  // `@STEPS [first, second]`: a plan as an agent without our tools proposes it; each further message gets the next one.
  STEPS: (scene) => say(`Here is the plan.\n\`\`\`signalbox-plan\n${JSON.stringify(JSON.parse(scene.argument)[scene.step] ?? {})}\n\`\`\``),
  THINK: ({ argument }) => ({
    kind: 'message',
    blocks: [
      { kind: 'thinking', text: 'Let me think about this step by step. First the question, then the answer.' },
      { kind: 'text', text: `Thought about: ${argument}` },
    ],
    stop: 'end',
  }),
  LONG: ({ argument }) => say(Array.from({ length: Number(argument) || 200 }, (_, n) => `word${n + 1}`).join(' ')),

  // Streams: `@SLOW gate 10` releases ten parts one by one, `@UNTIL gate` holds the answer back, `@DRIP 100 20` sends 100 parts 20 ms apart.
  SLOW: (scene) => say(counted(numberIn(scene, 1, 10)), { flow: { by: 'gate', gate: wordIn(scene, 0, 'slow') } }),
  UNTIL: (scene) => say(`The gate ${wordIn(scene, 0, 'until')} is open.`, { flow: { by: 'door', gate: wordIn(scene, 0, 'until') } }),
  DRIP: (scene) => say(counted(numberIn(scene, 0, 50)), { flow: { by: 'pace', pauseMs: numberIn(scene, 1, 20) } }),
  HANG: () => ({ kind: 'silence' }),

  // Tools.
  WRITE: (scene) => (scene.step > 0 ? say('Wrote it.') : callTools(write(scene, wordIn(scene, 0, 'notes.txt'), restOf(scene, 1) || 'line one\nline two\n'))),
  TWOWRITES: (scene) => (scene.step > 0 ? say('Wrote both.') : callTools(write(scene, 'first.txt', 'first\n'), write(scene, 'second.txt', 'second\n'))),
  EDIT: edit,
  REVIEW: review,
  BASH: (scene) =>
    scene.step > 0 ? say('Ran it.') : callTools({ name: 'Bash', input: { command: scene.argument || 'echo hello', description: 'Run the command' } }),
  BACKGROUND: (scene) =>
    scene.step > 0
      ? say('It runs in the background.')
      : callTools({ name: 'Bash', input: { command: scene.argument || 'echo later', description: 'Run it behind', run_in_background: true } }),
  // `@TOOL ask_person {"question":"Which?"}`: one of Signalbox's own tools, by whatever name the CLI offers it.
  TOOL: (scene) =>
    scene.step > 0 ? say('The tool answered.') : callTools({ name: `${OWN_TOOL}${wordIn(scene, 0, 'report')}`, input: JSON.parse(restOf(scene, 1) || '{}') }),
  SUBAGENT: (scene) => subagent(scene, '@PLAIN the errand'),
  SUBWRITE: (scene) => subagent(scene, `@WRITE ${scene.argument}`),
  SUBEDIT: (scene) => subagent(scene, `@EDIT ${scene.argument}`),
  ASK: (scene) => (scene.step > 0 ? say('Thank you for the answer.') : callTools({ name: 'AskUserQuestion', input: { questions: [COLOR_QUESTION] } })),
  PLAN: (scene) => (scene.step > 0 ? say('The plan is settled.') : callTools({ name: 'ExitPlanMode', input: { plan: '1. Look around\n2. Change one line' } })),

  // Faults. `@ERROR429 2` fails twice and then answers; without a number it always fails.
  ERROR400: failing(() => fail(400, 'invalid_request_error', 'The request is not understood')),
  ERROR401: failing(() => fail(401, 'authentication_error', 'invalid x-api-key')),
  ERROR429: failing(() => fail(429, 'rate_limit_error', 'Too many requests', { 'retry-after': '1' })),
  ERROR500: failing(() => fail(500, 'api_error', 'Internal server error')),
  ERROR529: failing(() => fail(529, 'overloaded_error', 'Overloaded')),
  // `@LIMIT 1800000000`: the account's limit is used up until then. A CLI only reports the time when it is signed in with an account.
  LIMIT: (scene) => limited(numberIn(scene, 0, 1_800_000_000)),
  DROP: failing(() => say(counted(10), { flow: { by: 'breaking', afterPieces: 3, how: 'cut' } })),
  STREAMERR: (scene) =>
    scene.streams ? say(counted(10), { flow: { by: 'breaking', afterPieces: 3, how: 'error-event' } }) : say('Answered without streaming.'),
  MAXTOKENS: (scene) => (scene.argument !== '' && scene.step >= Number(scene.argument) ? say('and so it ends.') : say('This text is cut ', { stop: 'length' })),
  REFUSE: () => say('', { stop: 'refusal' }),
  FULL: ({ argument }) => say('The context is nearly full.', { inputTokens: Number(argument) || 190_000 }),

  // Requests that a CLI makes for its own purposes.
  TITLE: () => say('{"title":"A scripted conversation"}'),
  SUMMARY: () => say('<analysis>It was short.</analysis><summary>The person asked, the model answered.</summary>'),
};

const COLOR_QUESTION = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Blue', description: 'Like the sky' },
    { label: 'Red', description: 'Like a signal' },
  ],
};

/** Starts a subagent with its own prompt. */
function subagent(scene: Scene, prompt: string): Reply {
  if (scene.step > 0) return say('The helper is done.');
  return callTools({ name: 'Agent', input: { description: 'A small errand', prompt, subagent_type: 'general-purpose' } });
}

/** `@EDIT file old => new`: reads the file first, as the CLI requires. */
function edit(scene: Scene): Reply {
  const [target = 'notes.txt'] = words(scene);
  const [before, after] = (restOf(scene, 1) || 'line one => line 1').split(' => ');
  const file_path = absolute(scene, target);
  if (scene.step === 0) return callTools({ name: 'Read', input: { file_path } });
  if (scene.step === 1) return callTools({ name: 'Edit', input: { file_path, old_string: before ?? '', new_string: after ?? '' } });
  return say('Edited it.');
}

/** `@REVIEW file old new`: edits one word as a comment asked, answers the second comment in words, and skips the others. */
function review(scene: Scene): Reply {
  const [target = 'notes.txt', before = '', after = ''] = words(scene).map((word) => word.replace(/<.*/, ''));
  const file_path = absolute(scene, target);
  if (scene.step === 0) return callTools({ name: 'Read', input: { file_path } });
  if (scene.step === 1) return callTools({ name: 'Edit', input: { file_path, old_string: before, new_string: after } });
  return say('I changed the line.\n\n**A2:** because nothing used it.\n');
}

function failing(fault: () => Reply): Scenario {
  return (scene) => (scene.argument !== '' && scene.attempt >= Number(scene.argument) ? say('It worked in the end.') : fault());
}

const write = (scene: Scene, file: string, content: string) => ({ name: 'Write', input: { file_path: absolute(scene, file), content } });
const absolute = (scene: Scene, file: string): string => (isAbsolute(file) ? file : join(scene.folder, file));
const counted = (count: number): string => Array.from({ length: count }, (_, n) => `piece${n + 1}`).join(' ');
const words = (scene: Scene): string[] => scene.argument.split(/\s+/).filter((word) => word !== '');
const wordIn = (scene: Scene, position: number, fallback: string): string => words(scene)[position] ?? fallback;
const numberIn = (scene: Scene, position: number, fallback: number): number => Number(words(scene)[position] ?? fallback);
const restOf = (scene: Scene, position: number): string => words(scene).slice(position).join(' ');
