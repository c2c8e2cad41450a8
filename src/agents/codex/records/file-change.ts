import type { FileChange } from '../../../protocol/event.ts';
import type { KeptObservation } from '../../../protocol/observation.ts';
import { patchOfDeletedFile, patchOfNewFile } from '../../formats/file-patch.ts';
import { itemOf, resultOf } from '../../formats/item-id.ts';
import { isObject, type Loose, text } from '../../formats/shape.ts';

/** A patch may change several files: the first belongs to the call, and each of the others is shown as a separate call. */
export function changesOf(
  { id, changes, status, stdout, stderr }: Loose<{ readonly id: string }>,
  at: { readonly agentAt?: string },
): readonly KeptObservation[] {
  const isError = status !== 'completed';
  const found = isError || !isObject(changes) ? [] : Object.entries(changes).flatMap(([path, change]) => changeOf(path, change) ?? []);
  const output = [stdout, stderr].filter(text).join('');
  const [first, ...others] = found;
  return [
    completed(id, { output, isError, ...(first && { change: first }), ...at }),
    ...others.flatMap((change, index) => [
      {
        type: 'tool.started',
        itemId: itemOf(`${id}:${index + 1}`),
        toolUseId: `${id}:${index + 1}`,
        name: 'apply_patch',
        input: { path: change.path },
        ...at,
      } as const,
      completed(`${id}:${index + 1}`, { output: '', isError, change, ...at }),
    ]),
  ];
}

type Completed = Extract<KeptObservation, { type: 'tool.completed' }>;

const completed = (id: string, more: Pick<Completed, 'output' | 'isError' | 'change' | 'agentAt'>): Completed => ({
  type: 'tool.completed',
  ...resultOf(id),
  ...more,
});

function changeOf(path: string, change: unknown): FileChange | undefined {
  if (!isObject(change)) return undefined;
  const { type, content, unified_diff } = change;
  if (type === 'add' && text(content)) return { kind: 'create', path, patch: patchOfNewFile(content) };
  if (type === 'delete' && text(content)) return { kind: 'delete', path, patch: patchOfDeletedFile(content) };
  return type === 'update' && text(unified_diff) ? { kind: 'edit', path, patch: unified_diff } : undefined;
}
