export { costText, countText, durationText, numberText, tokensText, wholeSeconds } from '../../../src/domain/amounts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function agoText(ms: number): string {
  if (ms < MINUTE) return 'now';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h`;
  return `${Math.floor(ms / DAY)}d`;
}

/** Chosen per browser. */
const isTwelveHours = (): boolean => globalThis.document?.documentElement.dataset.clock === '12';

/** Doesn't use Intl: its formatter would take a quarter of the time that a session's first screen needs. */
export function clockText(at: string): string {
  const time = new Date(at);
  const [hours, minutes] = [time.getHours(), twoDigits(time.getMinutes())];
  return isTwelveHours() ? `${twoDigits(hours % 12 || 12)}:${minutes} ${hours < 12 ? 'AM' : 'PM'}` : `${twoDigits(hours)}:${minutes}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** With a date unless it is on the same day as `from`, and with a year unless it is in the same year. */
export function momentText(at: string, from = Date.now()): string {
  const [then, now] = [new Date(at), new Date(from)];
  if (then.toDateString() === now.toDateString()) return clockText(at);
  const isThisYear = then.getFullYear() === now.getFullYear();
  return `${dayIn(isThisYear ? 'this year' : 'another year').format(then)}, ${clockText(at)}`;
}

const days = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter costs far more than using it. */
function dayIn(when: 'this year' | 'another year'): Intl.DateTimeFormat {
  const known = days.get(when);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat([], { day: 'numeric', month: 'short', ...(when === 'another year' && { year: 'numeric' }) });
  days.set(when, made);
  return made;
}

/** To the second, so that a countdown visibly moves. */
export function countdownText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

export const memoryText = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;

const MODES: Readonly<Record<string, string>> = {
  default: 'Ask before edits',
  acceptEdits: 'Accept edits',
  plan: 'Plan only',
  auto: 'Auto (agent decides)',
  dontAsk: 'Never ask (deny)',
  bypassPermissions: 'Bypass permissions: runs everything without asking',
};

/** A permission mode as its label reads. */
export const modeText = (mode: string): string => MODES[mode] ?? mode;

export const PERMISSION_MODES: readonly (readonly [string, string])[] = Object.entries(MODES);

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size on disk, with at most one decimal. */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[step]}`;
}
