import { round } from '../relay/numbers.ts';
import { pssKb } from '../relay/processes.ts';
import type { Row } from '../relay/table.ts';
import type { Subject } from './subject.ts';

/** For an agent whose sessions share long-lived processes: how long these took to start, and how much memory they use. */
export function measureShared({ title, bench, example }: Subject): readonly Row[] {
  const pids = bench.outliving?.() ?? [];
  if (pids.length === 0) return [];
  const megabytes = pids.map((pid) => `${round(pssKb(pid) / 1024, 0)}`);
  const row = (what: string, ours: string): Row => ({ what: `${title}: ${what}`, ours, floor: '', target: '' });
  return [
    row('very first session, including the start of the shared processes', `${round(example.readyMs / 1000, 1)} s`),
    row('memory of the shared processes', `${megabytes.join(' + ')} MB`),
  ];
}
