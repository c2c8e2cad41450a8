import { bridge } from './bridge.ts';

// For CLIs that dial in (`--sdk-url`, up to 2.1.120): a program of ours that speaks lines on stdin and stdout in their place.
// Arguments: the CLI (behind what runs it, if anything does) and its own arguments.
const [command = '', ...args] = process.argv.slice(2);
process.exit(await bridge(command, args));
