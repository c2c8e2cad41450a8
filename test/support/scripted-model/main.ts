import { startScriptedModel } from './model.ts';

// A model in its own process, so that it survives anything a test kills. Prints one JSON line when it is ready.
const model = await startScriptedModel(Number(process.argv[2] ?? 0));
process.stdout.write(`${JSON.stringify({ url: model.url, pid: process.pid })}\n`);
process.on('SIGTERM', () => void model.close().then(() => process.exit(0)));
