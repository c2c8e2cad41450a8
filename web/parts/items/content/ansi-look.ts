const HUES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type Hue = (typeof HUES)[number];

/** How the terminal should draw text. Hidden and blinking text is drawn like any other: nothing on the page may be invisible. */
export interface AnsiLook {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly inverse: boolean;
  readonly foreground: Hue | undefined;
  readonly background: Hue | undefined;
}

export const PLAIN_LOOK: AnsiLook = {
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
  foreground: undefined,
  background: undefined,
};

/** The look after one SGR sequence. Colors map to the nearest of eight that are readable on both light and dark. */
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
    next = { ...next, [code === 38 ? 'foreground' : 'background']: hue };
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
  39: { foreground: undefined },
  49: { background: undefined },
};

function changeOf(code: number): Partial<AnsiLook> {
  const [tens, hue] = [Math.floor(code / 10), HUES[code % 10]];
  if (hue !== undefined && (tens === 3 || tens === 9)) return { foreground: hue };
  if (hue !== undefined && (tens === 4 || tens === 10)) return { background: hue };
  return FLAGS[code] ?? {};
}

/** The 256-color palette: the 16 standard colors, a 6×6×6 cube, and grays. */
function indexed(code: number): Hue {
  if (code < 16) return HUES[code % 8] ?? 'white';
  if (code >= 232) return code < 244 ? 'black' : 'white';
  const at = code - 16;
  return nearest([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((shade) => shade * 51));
}

/** If the three channels differ by less than this, it is a gray. */
const GRAY = 40;

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): Hue {
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (max - min < GRAY) return max < 128 ? 'black' : 'white';
  const middle = (max + min) / 2;
  const bits = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return HUES[bits] ?? 'white';
}

/** The CSS classes for it. */
export function lookName(look: AnsiLook): string {
  if (look === PLAIN_LOOK) return '';
  const [foreground, background] = look.inverse ? [look.background, look.foreground ?? 'white'] : [look.foreground, look.background];
  const names = (['bold', 'dim', 'italic', 'underline', 'strike'] as const).filter((name) => look[name]).map((name) => `ansi-${name}`);
  if (foreground !== undefined) names.push(`ansi-${foreground}`);
  if (background !== undefined) names.push(`ansi-on-${background}`);
  return names.join(' ');
}
