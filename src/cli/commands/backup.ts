import { BackupAnswer } from '../../protocol/http.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT } from '../shared/command.ts';

export const backupCommand: CliCommand = {
  name: 'backup',
  summary: 'Back up the journal while the server runs',
  help: `
Usage: signalbox backup

The running server writes a consistent copy of its journal to its data folder and prints
the path. Agents keep working meanwhile.

Examples:
  signalbox backup
  signalbox backup --data /srv/signalbox
`,
  flags: {},
  run: async (deps, given) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const { path } = await api.ask(BackupAnswer, '/api/backup', { method: 'POST', body: {} });
    deps.stdout.write(`${path}\n`);
    return EXIT.ok;
  },
};
