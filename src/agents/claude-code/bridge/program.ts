import { bridge } from './bridge.ts';

// For CLIs that connect to a WebSocket (`--sdk-url`, up to 2.1.120): this program talks in lines on stdin and stdout for them.
// Arguments: the CLI (after its interpreter, if it has one) and its own arguments.
const [command = '', ...args] = process.argv.slice(2);
process.exit(await bridge(command, args));
