// The minimum cost of reading records: every file read completely, every line parsed, on one thread. Prints milliseconds and lines.
import { readFileSync } from 'node:fs';

const files = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const since = performance.now();
let lines = 0;
for (const file of files) {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    JSON.parse(line);
    lines += 1;
  }
}
console.log(JSON.stringify({ ms: performance.now() - since, lines }));
