import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Rgb = readonly [number, number, number];
type Theme = "light" | "dark";

const css = readFileSync(new URL("./globals.css", import.meta.url), "utf8");
const themes: readonly Theme[] = ["light", "dark"];

/** Text and its background. WCAG 2.2, 1.4.3: 4.5:1. */
const texts: readonly (readonly [string, string])[] = [
  ...["background", "card", "muted"].flatMap((ground) => [
    ["foreground", ground] as const,
    ["muted-foreground", ground] as const,
    ["primary", ground] as const,
    ["positive", ground] as const,
    ["caution", ground] as const,
    ["negative", ground] as const,
  ]),
  ["primary-foreground", "primary"],
  ["primary-foreground", "primary-hover"],
  ["positive", "positive-ground"],
  ["caution", "caution-ground"],
  ["negative", "negative-ground"],
  ["foreground", "positive-ground"],
  ["foreground", "caution-ground"],
  ["foreground", "negative-ground"],
];

/** Borders and focus rings. WCAG 2.2, 1.4.11: 3:1. */
const marks: readonly (readonly [string, string])[] = [
  ["input", "card"],
  ["ring", "background"],
  ["ring", "card"],
  ["ring", "muted"],
  ["primary", "card"],
];

for (const theme of themes) {
  it.each(texts)(`${theme}: %s is readable on %s`, (text, ground) => {
    expect(contrast(color(text, theme), color(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(marks)(`${theme}: %s is visible on %s`, (mark, ground) => {
    expect(contrast(color(mark, theme), color(ground, theme))).toBeGreaterThanOrEqual(3);
  });
}

for (const theme of themes) {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    `${theme}: the letters of provider mark %i are readable`,
    (mark) => {
      const hue = fixedOklab(`mark-${mark}`);
      const ground = mix(hue, oklab("card", theme), percentage("mark-ground"));
      const letter = mix(hue, oklab("foreground", theme), percentage("mark-letter"));
      expect(contrast(toLinearRgb(...letter), toLinearRgb(...ground))).toBeGreaterThanOrEqual(4.5);
    },
  );
}

type Oklab = readonly [l: number, a: number, b: number];

/** CSS Color 5, `color-mix(in oklab, …)` of two opaque colors. */
function mix(one: Oklab, other: Oklab, share: number): Oklab {
  const at = (index: 0 | 1 | 2) => one[index] * share + other[index] * (1 - share);
  return [at(0), at(1), at(2)];
}

function percentage(name: string): number {
  return Number(new RegExp(`--${name}: ([\\d.]+)%`).exec(css)?.[1]) / 100;
}

function fixedOklab(name: string): Oklab {
  const [, l = 0, c = 0, h = 0] =
    new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(css)?.map(Number) ?? [];
  return toOklab(l, c, h);
}

function toOklab(l: number, c: number, h: number): Oklab {
  const angle = (h * Math.PI) / 180;
  return [l, c * Math.cos(angle), c * Math.sin(angle)];
}

function color(name: string, theme: Theme): Rgb {
  return toLinearRgb(...oklab(name, theme));
}

function oklab(name: string, theme: Theme): Oklab {
  const number = "([\\d.]+)";
  const oklch = `oklch\\(${number} ${number} ${number}\\)`;
  const found = new RegExp(`--${name}: light-dark\\(${oklch}, ${oklch}\\)`).exec(css);
  if (found === null) throw new Error(`globals.css has no --${name}`);
  const [l = 0, c = 0, h = 0] = found.slice(theme === "light" ? 1 : 4).map(Number);
  return toOklab(l, c, h);
}

/** CSS Color 4, §10: Oklab to linear sRGB, clipped to the gamut. */
function toLinearRgb(l: number, a: number, b: number): Rgb {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return [
    within(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    within(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    within(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

function contrast(one: Rgb, other: Rgb): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
