const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function agoText(ms: number): string {
  if (ms < MINUTE) return 'now';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h`;
  return `${Math.floor(ms / DAY)}d`;
}

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

/** As the person chose it for this browser. */
const isTwelveHours = (): boolean => globalThis.document?.documentElement.dataset.clock === '12';

/** By hand: the browser's own formatter takes a quarter of the time in which the first screen of a session is drawn. */
export function clockText(at: string): string {
  const time = new Date(at);
  const [hours, minutes] = [time.getHours(), twoDigits(time.getMinutes())];
  return isTwelveHours() ? `${twoDigits(hours % 12 || 12)}:${minutes} ${hours < 12 ? 'AM' : 'PM'}` : `${twoDigits(hours)}:${minutes}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A time that may lie days away: with its date unless it is on the same day as `from`, with its year unless it is in the same one. */
export function momentText(at: string, from = Date.now()): string {
  const [then, now] = [new Date(at), new Date(from)];
  if (then.toDateString() === now.toDateString()) return clockText(at);
  const isThisYear = then.getFullYear() === now.getFullYear();
  return `${dayIn(isThisYear ? 'this year' : 'another year').format(then)}, ${clockText(at)}`;
}

const days = new Map<string, Intl.DateTimeFormat>();

/** A formatter costs far more to make than to use. */
function dayIn(when: 'this year' | 'another year'): Intl.DateTimeFormat {
  const known = days.get(when);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat([], { day: 'numeric', month: 'short', ...(when === 'another year' && { year: 'numeric' }) });
  days.set(when, made);
  return made;
}

export const tokensText = (tokens: number): string => (tokens < 1000 ? `${tokens}` : `${Math.round(tokens / 1000)}k`);

/** 1,204: the same in every place, as all other words here are English. */
export const numberText = (value: number): string => (Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : value.toLocaleString('en'));

export const countText = (count: number, one: string, many = `${one}s`): string => `${numberText(count)} ${count === 1 ? one : many}`;

/** What is left, to the second: a countdown must be seen to move. */
export function countdownText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

export const memoryText = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;

const MODES: Readonly<Record<string, string>> = {
  default: 'asks before edits',
  acceptEdits: 'edits freely',
  plan: 'plans only',
  auto: 'decides by itself',
  dontAsk: 'refuses instead of asking',
  bypassPermissions: 'bypasses permissions',
};

/** A permission mode in a person's terms. */
export const modeText = (mode: string): string => MODES[mode] ?? mode;

export const PERMISSION_MODES: readonly (readonly [string, string])[] = Object.entries(MODES);

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size on disk, with at most one digit behind the point. */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[step]}`;
}
