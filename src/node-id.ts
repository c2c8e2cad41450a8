import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** Identifies this data folder for as long as it exists; the epoch counts server starts. */
const Node = z.object({ id: z.string(), epoch: z.int() });
export type Node = z.infer<typeof Node>;

/** Reads or creates the id and starts a new epoch. */
export function openNode(dataDir: string): Node {
  const before = read(join(dataDir, 'node.json'));
  return saveNode(dataDir, { id: before?.id ?? randomUUID(), epoch: (before?.epoch ?? 0) + 1 });
}

/** Joining a cluster takes an epoch above all that others have seen. */
export function saveNode(dataDir: string, node: Node): Node {
  const path = join(dataDir, 'node.json');
  writeFileSync(`${path}.new`, JSON.stringify(node), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return node;
}

function read(path: string): Node | undefined {
  try {
    return Node.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
