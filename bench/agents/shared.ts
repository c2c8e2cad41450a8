import { round } from '../relay/numbers.ts';
import { pssKb } from '../relay/processes.ts';
import type { Row } from '../relay/table.ts';
import type { Subject } from './subject.ts';

/** Of an agent whose sessions share processes that outlive them: how long these took to start, and what they take, once for all sessions. */
export function measureShared({ title, bench, example }: Subject): readonly Row[] {
  const pids = bench.outliving?.() ?? [];
  if (pids.length === 0) return [];
  const megabytes = pids.map((pid) => `${round(pssKb(pid) / 1024, 0)}`);
  const tell = (what: string, ours: string): Row => ({ what: `${title}: ${what}`, ours, floor: '', asked: '' });
  return [
    tell('the very first session, with the start of what all share', `${round(example.readyMs / 1000, 1)} s`),
    tell('memory of what all sessions share', `${megabytes.join(' + ')} MB`),
  ];
}
