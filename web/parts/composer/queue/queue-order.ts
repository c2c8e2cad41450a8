/** The message before which to put one to move it a step (null: at the end); undefined when it is already at that end. */
export function moveTarget(order: readonly string[], commandId: string, by: 'up' | 'down'): string | null | undefined {
  const at = order.indexOf(commandId);
  if (at < 0 || (by === 'up' && at === 0) || (by === 'down' && at === order.length - 1)) return undefined;
  return by === 'up' ? order[at - 1] : (order[at + 2] ?? null);
}
