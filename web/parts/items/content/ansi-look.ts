const HUES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type Hue = (typeof HUES)[number];

/** How a terminal was told to draw. Hidden and blinking text is drawn like any other: nothing may be there and not be seen. */
export interface AnsiLook {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly inverse: boolean;
  readonly ink: Hue | undefined;
  readonly ground: Hue | undefined;
}

export const PLAIN_LOOK: AnsiLook = {
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
  ink: undefined,
  ground: undefined,
};

/** The look after one order; a colour is brought to the nearest of eight, which are readable on both grounds. */
export function applySgr(look: AnsiLook, parameters: string): AnsiLook {
  const codes = parameters.split(/[;:]/).map((code) => Number(code === '' ? 0 : code));
  let next = look;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code !== 38 && code !== 48) {
      next = { ...(code === 0 ? PLAIN_LOOK : next), ...changeOf(code) };
      continue;
    }
    const isIndexed = codes[at + 1] === 5;
    const hue = isIndexed ? indexed(codes[at + 2] ?? 0) : nearest(codes.slice(at + 2, at + 5));
    next = { ...next, [code === 38 ? 'ink' : 'ground']: hue };
    at += isIndexed ? 2 : 4;
  }
  return next;
}

const FLAGS: Readonly<Record<number, Partial<AnsiLook>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { ink: undefined },
  49: { ground: undefined },
};

function changeOf(code: number): Partial<AnsiLook> {
  const [tens, hue] = [Math.floor(code / 10), HUES[code % 10]];
  if (hue !== undefined && (tens === 3 || tens === 9)) return { ink: hue };
  if (hue !== undefined && (tens === 4 || tens === 10)) return { ground: hue };
  return FLAGS[code] ?? {};
}

/** Of 256: the sixteen of old, a cube of six shades each, and greys. */
function indexed(code: number): Hue {
  if (code < 16) return HUES[code % 8] ?? 'white';
  if (code >= 232) return code < 244 ? 'black' : 'white';
  const at = code - 16;
  return nearest([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((shade) => shade * 51));
}

/** So little difference between the three makes a grey. */
const GREY = 40;

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): Hue {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most - least < GREY) return most < 128 ? 'black' : 'white';
  const middle = (most + least) / 2;
  const bits = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return HUES[bits] ?? 'white';
}

/** The classes that draw it. */
export function lookName(look: AnsiLook): string {
  if (look === PLAIN_LOOK) return '';
  const [ink, ground] = look.inverse ? [look.ground, look.ink ?? 'white'] : [look.ink, look.ground];
  const names = (['bold', 'dim', 'italic', 'underline', 'strike'] as const).filter((name) => look[name]).map((name) => `ansi-${name}`);
  if (ink !== undefined) names.push(`ansi-${ink}`);
  if (ground !== undefined) names.push(`ansi-on-${ground}`);
  return names.join(' ');
}
