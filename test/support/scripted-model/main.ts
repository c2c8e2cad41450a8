import { startScriptedModel } from './model.ts';

// A model in a process of its own, so that it survives whatever a test kills. Prints one JSON line when it is ready.
const model = await startScriptedModel(Number(process.argv[2] ?? 0));
process.stdout.write(`${JSON.stringify({ url: model.url, pid: process.pid })}\n`);
process.on('SIGTERM', () => void model.close().then(() => process.exit(0)));
