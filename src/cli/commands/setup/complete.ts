import { complete } from '../../completion/complete.ts';
import type { DescribedCommand } from '../../completion/wanted.ts';
import { type CliCommand, COMMON_FLAGS, EXIT } from '../../shared/command.ts';

/** What the scripts of `completion` call. Installed, the build's own small program answers instead (completion/program.ts). */
export const completeCommand = (commands: () => readonly CliCommand[]): CliCommand => ({
  name: 'complete',
  summary: 'What a word on the command line can be',
  help: `
Usage: signalbox complete -- WORDS

For the scripts of "signalbox completion".

  --table   print all commands and flags as JSON

Examples:
  signalbox complete -- attach ""
`,
  isHidden: true,
  flags: { table: { type: 'boolean' } },
  run: async (deps, given, words) => {
    const described = commands()
      .filter(({ isHidden }) => isHidden !== true)
      .map(describe);
    deps.stdout.write(given.table === true ? `${JSON.stringify(described)}\n` : await complete(deps.env, described, words));
    return EXIT.ok;
  },
});

function describe(command: CliCommand): DescribedCommand {
  const flags = Object.entries({ ...command.flags, ...COMMON_FLAGS }).map(([name, { type }]) => ({
    name,
    takesText: type === 'string',
    about: aboutFlag(command, name),
  }));
  return { name: command.name, summary: command.summary, flags };
}

/** From the help text, which has a line for each flag. */
const aboutFlag = ({ help }: CliCommand, name: string): string => new RegExp(`^ +(?:-\\w, )?--${name}\\b[^\\n]*? {2,}(\\S.*)$`, 'm').exec(help)?.[1] ?? '';
