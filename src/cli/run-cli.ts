import { parseArgs } from 'node:util';
import { answerCommand } from './commands/answer.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { changesCommand } from './commands/changes.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { inboxCommand } from './commands/inbox.ts';
import { indexCommand } from './commands/index.ts';
import { keptCommand } from './commands/kept.ts';
import { lsCommand } from './commands/ls.ts';
import { mcpCommand } from './commands/mcp.ts';
import { nodesCommand } from './commands/nodes.ts';
import { planCommand } from './commands/plan.ts';
import { queueCommand } from './commands/queue.ts';
import { revertCommand } from './commands/revert.ts';
import { blameCommand } from './commands/review/blame.ts';
import { replayCommand } from './commands/review/replay.ts';
import { reviewCommand } from './commands/review/review.ts';
import { rulesCommand } from './commands/rules.ts';
import { runCommand } from './commands/run.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { attachCommand } from './commands/session/attach.ts';
import { logsCommand } from './commands/session/logs.ts';
import { sendCommand } from './commands/session/send.ts';
import { forkCommand, interruptCommand, stopCommand } from './commands/session/steer.ts';
import { waitCommand } from './commands/session/wait.ts';
import { completeCommand } from './commands/setup/complete.ts';
import { completionCommand } from './commands/setup/completion.ts';
import { hooksCommand } from './commands/setup/hooks.ts';
import { serviceCommand } from './commands/setup/service.ts';
import { statuslineCommand } from './commands/setup/statusline.ts';
import { tokenCommand } from './commands/token.ts';
import { toolCommand } from './commands/tool.ts';
import { usageCommand } from './commands/usage.ts';
import { worktreesCommand } from './commands/worktrees.ts';
import { type CliCommand, CliProblem, COMMON_FLAGS, EXIT, UsageProblem } from './shared/command.ts';
import type { CliConfig, CliDeps } from './shared/deps.ts';

const COMMANDS: readonly CliCommand[] = [
  serveCommand,
  runCommand,
  attachCommand,
  logsCommand,
  sendCommand,
  waitCommand,
  interruptCommand,
  stopCommand,
  forkCommand,
  lsCommand,
  searchCommand,
  inboxCommand,
  answerCommand,
  queueCommand,
  exportCommand,
  replayCommand,
  changesCommand,
  blameCommand,
  revertCommand,
  reviewCommand,
  worktreesCommand,
  nodesCommand,
  usageCommand,
  indexCommand,
  keptCommand,
  hooksCommand,
  statuslineCommand,
  toolCommand,
  mcpCommand,
  planCommand,
  rulesCommand,
  auditCommand,
  tokenCommand,
  backupCommand,
  serviceCommand,
  completionCommand,
  doctorCommand,
  completeCommand(() => COMMANDS),
];

/** Runs one command line (without node and the program) and returns its exit code: 0 done, 1 failed, 2 wrong usage, 3 a person has to answer first, 4 refused. */
export async function runCli<C extends CliConfig>(argv: readonly string[], deps: CliDeps<C>): Promise<number> {
  const [word, ...rest] = argv;
  if (word === '--version' || word === '-v') return say(deps, deps.version);
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') return say(deps, helpFor(rest[0]) ?? overview());
  const command = word.startsWith('-') ? serveCommand : COMMANDS.find((each) => each.name === word);
  if (command === undefined) return unknownCommand(deps, word);
  try {
    return await runCommandLine(command, command.name === word ? rest : argv, deps);
  } catch (error) {
    return explain(error, command, deps);
  }
}

async function runCommandLine<C extends CliConfig>(command: CliCommand, args: readonly string[], deps: CliDeps<C>): Promise<number> {
  const { values, positionals } = parse(command, args);
  if (values.help === true) return say(deps, command.help.trim());
  return command.run(deps, values, positionals);
}

function parse(command: CliCommand, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { ...COMMON_FLAGS, ...command.flags }, allowPositionals: true, allowNegative: true });
  } catch (cause) {
    throw new UsageProblem(cause instanceof Error ? cause.message : 'Unknown flags', { cause });
  }
}

/** Errors meant for people are shown as they are; anything else is a bug, so its stack helps. */
function explain(error: unknown, command: CliCommand, deps: CliDeps): number {
  if (error instanceof UsageProblem) {
    deps.stderr.write(`signalbox ${command.name}: ${error.message}\nTry: signalbox ${command.name} --help\n`);
    return EXIT.usage;
  }
  const isForPeople = error instanceof CliProblem || (error instanceof Error && ['ConfigProblem', 'TokenProblem', 'BadRecording'].includes(error.name));
  deps.stderr.write(`signalbox ${command.name}: ${isForPeople ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  if (error instanceof CliProblem) return error.exit;
  return error instanceof Error && error.name === 'ConfigProblem' ? EXIT.usage : EXIT.failed;
}

function unknownCommand(deps: CliDeps, word: string): number {
  const near = COMMANDS.find((each) => each.isHidden !== true && each.name.startsWith(word.slice(0, 2)));
  const hint = near === undefined ? '' : ` Did you mean "${near.name}"?`;
  deps.stderr.write(`signalbox: unknown command "${word}".${hint}\n\n${overview()}\n`);
  return EXIT.usage;
}

const helpFor = (name: string | undefined): string | undefined => COMMANDS.find((each) => each.name === name)?.help.trim();

const overview = (): string => `Signalbox: start, watch, steer and approve coding agents.

Usage: signalbox <command> [flags]

${COMMANDS.filter(({ isHidden }) => isHidden !== true)
  .map((each) => `  ${each.name.padEnd(10)} ${each.summary}`)
  .join('\n')}

Examples:
  signalbox serve                       start the server and open it in the browser
  signalbox run "fix the failing test"  run one task and stream it to this terminal
  signalbox help run                    help for one command

Every command accepts --data DIR and --help. Set NO_COLOR to turn colors off.`;

function say(deps: CliDeps, text: string): number {
  deps.stdout.write(`${text}\n`);
  return EXIT.ok;
}
