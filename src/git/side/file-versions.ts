import { runSideGit } from './run-side-git.ts';
import type { SideRepository } from './side-repository.ts';

/** A file as one checkpoint of a session holds it; no `oid` if it was not there. */
export interface FileVersion {
  readonly session: string;
  readonly checkpointId: string;
  readonly oid?: string;
}

/** A line break would end a question to git. */
const canAsk = (name: string): boolean => !name.includes('\n');

export async function fileVersions(side: SideRepository, names: readonly string[]): Promise<readonly FileVersion[]> {
  const listed = await runSideGit(side, ['for-each-ref', '--format=%(refname)', 'refs/sessions/']);
  const refs = listed.ok ? listed.out.toString('utf8').split('\n').filter(Boolean) : [];
  const asked = names.filter(canAsk);
  if (refs.length === 0 || asked.length === 0) return [];
  const input = refs.flatMap((ref) => asked.map((name) => `${ref}:${name}\n`)).join('');
  const found = await runSideGit(side, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  const lines = found.ok ? found.out.toString('utf8').split('\n') : [];
  return refs.map((ref, at) => {
    const [, , session = '', checkpointId = ''] = ref.split('/');
    const oid = asked.flatMap((_, index) => /^([0-9a-f]+) blob$/.exec(lines[at * asked.length + index] ?? '')?.[1] ?? [])[0];
    return { session, checkpointId, ...(oid !== undefined && { oid }) };
  });
}

/** All versions of one file together; a file with more is too large to follow. */
const TEXT_BYTES = 32 * 1024 * 1024;

export async function fileTexts(side: SideRepository, oids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (oids.length === 0) return texts;
  const found = await runSideGit(side, ['cat-file', '--batch'], { input: oids.map((oid) => `${oid}\n`).join(''), mostBytes: TEXT_BYTES });
  if (!found.ok) return texts;
  let at = 0;
  for (;;) {
    const end = found.out.indexOf(10, at);
    const [oid = '', type, size = ''] = end < 0 ? [] : found.out.toString('latin1', at, end).split(' ');
    if (end < 0) return texts;
    if (type !== 'blob') {
      at = end + 1;
      continue;
    }
    const bytes = found.out.subarray(end + 1, end + 1 + Number(size));
    if (!bytes.includes(0)) texts.set(oid, bytes.toString('utf8'));
    at = end + 1 + Number(size) + 1;
  }
}
