import type { PushSettings, PushSettingsPatch } from '../../protocol/api/outside/push.ts';

/** How many sessions a person can mute; beyond that, the earliest are unmuted. */
const MUTED_MAX = 1000;

export function settled({ quiet, ...settings }: PushSettings, { mute, unmute, quiet: changed, ...patch }: PushSettingsPatch): PushSettings {
  const hours = changed === undefined ? quiet : (changed ?? undefined);
  const muted = [...settings.muted.filter((id) => id !== unmute && id !== mute), ...(mute === undefined ? [] : [mute])];
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return { ...settings, ...given, muted: muted.slice(-MUTED_MAX), ...(hours !== undefined && { quiet: hours }) };
}
