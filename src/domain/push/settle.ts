import type { PushSettings, PushSettingsPatch } from '../../protocol/api/push.ts';

/** Sessions that a person has muted; of more, the earliest are heard again. */
const MUTED_MAX = 1000;

export function settled({ quiet, ...settings }: PushSettings, { mute, unmute, quiet: changed, ...patch }: PushSettingsPatch): PushSettings {
  const hours = changed === undefined ? quiet : (changed ?? undefined);
  const muted = [...settings.muted.filter((id) => id !== unmute && id !== mute), ...(mute === undefined ? [] : [mute])];
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return { ...settings, ...given, muted: muted.slice(-MUTED_MAX), ...(hours !== undefined && { quiet: hours }) };
}
