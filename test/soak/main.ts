import { parseArgs } from 'node:util';
import { findChromium } from '../support/browser/chromium.ts';
import { heapText } from './memory.ts';
import { soak } from './play.ts';
import { installedAgents } from './setup.ts';

// npm run soak [-- --minutes 30] [--seed S]: the long form of test/scenarios/soak-page.test.ts.
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } } });
const chromium = findChromium();
if ('skip' in chromium) throw new Error(chromium.skip);
const agents = installedAgents();
const seed = Number(values.seed);
const startedAt = performance.now();
const minutes = (): string => ((performance.now() - startedAt) / 60_000).toFixed(1);
process.stdout.write(`seed ${seed}, ${agents.join(', ')}, ${values.minutes} minutes\n`);
const { rounds, messages, problems } = await soak({
  chromium: chromium.path,
  seed,
  agents,
  warmUp: 10,
  isOver: () => performance.now() - startedAt > Number(values.minutes) * 60_000,
  onMemory: (round, memory) => process.stdout.write(`${minutes()} min, round ${round}: ${heapText(memory)}\n`),
});
process.stdout.write(`${rounds} rounds, ${messages} messages in ${minutes()} minutes: ${problems.length === 0 ? 'nothing lost, nothing doubled' : 'FAILED'}\n`);
for (const problem of problems.slice(0, 40)) process.stdout.write(`  ${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
