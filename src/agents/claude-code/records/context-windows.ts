/** Context window sizes of the models that have only one. */
const WINDOWS: ReadonlyMap<string, number> = new Map([
  ['claude-3-5-haiku', 200_000],
  ['claude-3-5-sonnet', 200_000],
  ['claude-3-7-sonnet', 200_000],
  ['claude-haiku-4-5', 200_000],
  ['claude-opus-4', 200_000],
  ['claude-opus-4-1', 200_000],
  ['claude-opus-4-5', 200_000],
  ['claude-opus-5-5', 1_000_000],
]);

/**
 * A suffix selects the long window of a model that has two (seen: claude-opus-4-8 with 200,000 and with 1,000,000). A record names the model
 * without it, so for those models the size is unknown.
 */
export function window(model: string): number | undefined {
  if (model.endsWith('[1m]')) return 1_000_000;
  return WINDOWS.get(model.replace(/[-@]\d{8}$/, ''));
}
