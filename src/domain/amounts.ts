/** Amounts as text, the same on the page, in exports and in the terminal. */

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return wholeSeconds(Math.round(ms / 1000));
}

/** A duration that is still being counted, second by second. */
export function wholeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const costText = (usd: number): string => (usd > 0 && usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`);

export const tokensText = (tokens: number): string => (tokens < 1000 ? `${tokens}` : `${Math.round(tokens / 1000)}k`);

/** 1,204: independent of the locale, because all other text is English too. */
export const numberText = (value: number): string => (Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : value.toLocaleString('en'));

export const countText = (count: number, one: string, many = `${one}s`): string => `${numberText(count)} ${count === 1 ? one : many}`;
