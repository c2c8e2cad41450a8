import { type CliCommand, type Given, textOf, UsageProblem } from '../shared/command.ts';

export const serveCommand: CliCommand = {
  name: 'serve',
  summary: 'Start the server: the page, the API and the agents',
  help: `
Usage: signalbox serve [flags]

  --host HOST          address to listen on (default 127.0.0.1)
  --port PORT          port to listen on (default 4750; 0 picks a free one)
  --data DIR           data folder (default ~/.local/share/signalbox)
  --no-open            don't open a browser
  --public-url URL     the address people use when a TLS proxy is in front
  --tls-cert FILE      serve HTTPS with this certificate …
  --tls-key FILE       … and this key
  --base-path PATH     serve under a path, such as /signalbox
  --insecure           allow listening beyond this machine without TLS
  --stop-agents        stop the agents too when the server stops
  --json               print the ready line as JSON: {"url","token","port","pid"}

Examples:
  signalbox serve
  signalbox serve --port 0 --no-open --json
  signalbox serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  signalbox serve --public-url https://box.example.org
`,
  flags: {
    host: { type: 'string' },
    port: { type: 'string' },
    open: { type: 'boolean' },
    'public-url': { type: 'string' },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
    'base-path': { type: 'string' },
    insecure: { type: 'boolean' },
    'stop-agents': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (deps, given, [unexpected]) => {
    if (unexpected !== undefined) throw new UsageProblem(`unexpected argument "${unexpected}"`);
    return deps.serve(deps.loadConfig(settingsIn(given)));
  },
};

/** Flags by setting name. */
function settingsIn(given: Given): Readonly<Record<string, unknown>> {
  return {
    data: given.data,
    host: given.host,
    port: portIn(textOf(given, 'port')),
    open: given.open,
    publicUrl: given['public-url'],
    tlsCert: given['tls-cert'],
    tlsKey: given['tls-key'],
    basePath: given['base-path'],
    insecure: given.insecure,
    stopAgents: given['stop-agents'],
    json: given.json,
  };
}

function portIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text)) throw new UsageProblem(`--port must be a number from 0 to 65535, not "${text}"`);
  return Number(text);
}
