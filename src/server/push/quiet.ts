import type { QuietHours } from '../../protocol/api/outside/push.ts';

/** Whether quiet hours are in effect now in the person's time zone. */
export function isQuiet(hours: QuietHours | undefined, now: number): boolean {
  if (hours === undefined || hours.from === hours.to) return false;
  const time = clockIn(hours.timeZone, now);
  return hours.from < hours.to ? time >= hours.from && time < hours.to : time >= hours.from || time < hours.to;
}

export function isTimeZone(name: string): boolean {
  try {
    clockIn(name, 0);
    return true;
  } catch {
    return false;
  }
}

const clockIn = (timeZone: string, now: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(now);
