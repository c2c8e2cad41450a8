/** Before which message one must be put to stand one place further; nothing when it stands at that end already. */
export function neighbour(order: readonly string[], commandId: string, by: 'up' | 'down'): string | null | undefined {
  const at = order.indexOf(commandId);
  if (at < 0 || (by === 'up' && at === 0) || (by === 'down' && at === order.length - 1)) return undefined;
  return by === 'up' ? order[at - 1] : (order[at + 2] ?? null);
}
