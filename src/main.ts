import { join } from 'node:path';
import { AGENTS, agentsWith } from './agents/index.ts';
import { runCli } from './cli/run-cli.ts';
import { type Config, loadConfig } from './config.ts';
import { describeAgents } from './engine/list-agents.ts';
import { locatorFor } from './open-app.ts';
import { PACKAGE_ROOT, VERSION, WEB_DIR } from './package-info.ts';
import { inheritable } from './programs/environment.ts';
import { checkJournalFiles, rebuild } from './rebuild.ts';
import { replay } from './replay.ts';
import { serve } from './serve.ts';
import { addNamedToken, readNamedTokens, revokeNamedToken } from './server/auth/named-tokens.ts';

process.exitCode = await runCli<Config>(process.argv.slice(2), {
  version: VERSION,
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  terminal: process.stdin.isTTY && process.stdout.isTTY ? { input: process.stdin, output: process.stdout } : undefined,
  onInterrupt: (handler) => {
    process.on('SIGINT', handler);
    return () => process.off('SIGINT', handler);
  },
  loadConfig: (flags) => loadConfig({ flags, env: process.env }),
  serve,
  rebuild,
  replay,
  checkJournal: checkJournalFiles,
  agents: (config) => describeAgents({ adapters: agentsWith(config.configuredAgents), locator: locatorFor(config, inheritable(process.env)), sessions: [] }),
  tokens: { add: addNamedToken, list: readNamedTokens, revoke: revokeNamedToken },
  hooks: {
    agents: AGENTS.flatMap(({ id, title, hooks }) => (hooks === undefined ? [] : [{ id, title, hooks }])),
    program: join(PACKAGE_ROOT, 'bin', 'signalbox-hook'),
    node: process.execPath,
  },
  script: join(PACKAGE_ROOT, 'bin/signalbox.mjs'),
  webDir: WEB_DIR,
});
