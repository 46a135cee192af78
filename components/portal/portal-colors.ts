/**
 * An account's color, made readable in both themes: its hue stays, and its lightness moves until
 * text in it, on it, and the focus ring have enough contrast (WCAG 2.2, 1.4.3).
 */
type PortalColors = { readonly light: ThemeColors; readonly dark: ThemeColors };

type ThemeColors = {
  readonly primary: string;
  readonly hover: string;
  readonly onPrimary: string;
};

/**
 * The value of `--muted` in app/globals.css: of all backgrounds, text has the least contrast on it.
 */
export const grounds = { light: "#eff2f5", dark: "#1d242a" } as const;

/** `hex` is `#rrggbb`. */
export function toPortalColors(hex: string): PortalColors {
  const color = toOklab(readHex(hex));
  const light = moveUntilReadable(color, grounds.light, -step);
  const dark = moveUntilReadable(color, grounds.dark, step);
  return {
    light: { primary: write(light), hover: write(shift(light, -0.06)), onPrimary: "#ffffff" },
    dark: { primary: write(dark), hover: write(shift(dark, 0.06)), onPrimary: "#0b1016" },
  };
}

/** The CSS properties that they replace, with their values. */
export function listPortalColors({
  light,
  dark,
}: PortalColors): readonly (readonly [property: string, value: string])[] {
  const both = (name: keyof ThemeColors) => `light-dark(${light[name]}, ${dark[name]})`;
  return [
    ["--primary", both("primary")],
    ["--primary-hover", both("hover")],
    ["--primary-foreground", both("onPrimary")],
    ["--ring", both("primary")],
  ];
}

/** The rules for a style element of the page, after the style sheet that it overrides. */
export function writePortalColors(colors: PortalColors): string {
  return `:root{${listPortalColors(colors)
    .map(([name, value]) => `${name}:${value}`)
    .join(";")}}`;
}

/** WCAG 2.2 contrast of two `#rrggbb` colors. */
export function contrastOf(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(readHex(one)), luminance(readHex(other))].sort(
    (x, y) => y - x,
  );
  return (bright + 0.05) / (dim + 0.05);
}

type Oklab = readonly [l: number, a: number, b: number];
type LinearRgb = readonly [red: number, green: number, blue: number];

const wantedContrast = 4.5;
const step = 0.01;

function moveUntilReadable(color: Oklab, ground: string, by: number): Oklab {
  let moved = color;
  while (contrastOf(write(moved), ground) < wantedContrast) {
    moved = shift(moved, by);
    if (moved[0] <= 0 || moved[0] >= 1) break;
  }
  return moved;
}

/** Near black and white there is no room for color. */
function shift([l, a, b]: Oklab, by: number): Oklab {
  const next = Math.min(1, Math.max(0, l + by));
  const share = Math.min(1, (1 - next) * 4, next * 4);
  return [next, a * share, b * share];
}

function readHex(hex: string): LinearRgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

/** Writes the color, clipped to what screens can show. */
function write(color: Oklab): string {
  const digits = toLinearRgb(color).map((value) => {
    const clipped = Math.min(1, Math.max(0, value));
    const encoded = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${digits.join("")}`;
}

/** https://bottosson.github.io/posts/oklab/ */
function toOklab([red, green, blue]: LinearRgb): Oklab {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toLinearRgb([l, a, b]: Oklab): LinearRgb {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function luminance([red, green, blue]: LinearRgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
