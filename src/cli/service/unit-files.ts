/** What a service runs, and with which folders on its PATH. Nothing secret: unit files are readable by others, and the log by whoever reads the journal. */
export interface ServiceProgram {
  /** The command line; its first word is an absolute path that survives upgrades. */
  readonly argv: readonly string[];
  readonly path: string;
  /** launchd has no journal: output goes to this file. */
  readonly logFile: string;
}

/** In the first line of our files: only those are replaced or removed. */
export const WRITTEN_BY = 'Written by "signalbox service install"';

/** A user unit. `KillMode=process`: agents are processes of their own, and continue while the server restarts. */
export const systemdUnit = ({ argv, path }: ServiceProgram): string => `# ${WRITTEN_BY}; "signalbox service remove" deletes it.
[Unit]
Description=Signalbox, a control plane for coding agents

[Service]
ExecStart=${startable(argv).map(systemdWord).join(' ')}
Environment=${systemdText(`PATH=${path}`)}
Environment=SIGNALBOX_LOG_TOKEN=0
KillMode=process
Restart=always
RestartSec=2

[Install]
WantedBy=default.target
`;

/** systemd refuses quotes and the like in the name of the executable, but not in its arguments. */
const startable = (argv: readonly string[]): readonly string[] => (/^[\w@+=:,./-]+$/.test(argv[0] ?? '') ? argv : ['/usr/bin/env', ...argv]);

/** In ExecStart, `$` names a variable. */
const systemdWord = (word: string): string => systemdText(word).replaceAll('$', '$$$$');

/** Quoted; `%` names a specifier. */
const systemdText = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

export const LAUNCHD_LABEL = 'dev.signalbox.server';

/** A launch agent. `AbandonProcessGroup`: launchd ends only the server, not the agents. */
export const launchdPlist = ({ argv, path, logFile }: ServiceProgram): string => `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${WRITTEN_BY}; "signalbox service remove" deletes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${argv.map((word) => `    <string>${xmlText(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${xmlText(path)}</string>
    <key>SIGNALBOX_LOG_TOKEN</key>
    <string>0</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardOutPath</key>
  <string>${xmlText(logFile)}</string>
  <key>StandardErrorPath</key>
  <string>${xmlText(logFile)}</string>
</dict>
</plist>
`;

const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
