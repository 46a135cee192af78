import type { Point, Series } from "./series.ts";

type StackedBarsProps = {
  /** From bottom to top. */
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  /** The height in the units of the drawing, where a bar is 1 wide. */
  readonly height: number;
  /** The count at the top. Omitted: the highest bar. */
  readonly most?: number;
};

/**
 * Bars for a drawing whose `viewBox` is as wide as their number. Each color is one path, because a
 * list has hundreds of bars. Even one of many thousands stays visible.
 */
export function StackedBars({ series, points, height, most }: StackedBarsProps) {
  const used = series.filter(({ key }) => points.some(({ counts }) => (counts[key] ?? 0) > 0));
  const full = most ?? highestBar(used, points);
  const room = height - least * Math.max(0, used.length - 1);
  const bottoms = points.map(() => 0);
  return (
    <>
      <path className="fill-border" d={`M0 ${height}v-1h${points.length}v1z`} />
      {used.map(({ key, color }) => {
        const drawn = points.map(({ counts }, at) => {
          const count = counts[key] ?? 0;
          if (count === 0) return "";
          const bottom = bottoms[at] ?? 0;
          const tall = Math.max(least, (count / full) * room);
          bottoms[at] = bottom + tall;
          return `M${at} ${round(height - bottom)}v${-round(tall)}h.75v${round(tall)}z`;
        });
        return <path key={key} fill={color} d={drawn.join("")} />;
      })}
    </>
  );
}

const least = 2;

export function highestBar(series: readonly Series[], points: readonly Point[]): number {
  const sums = points.map(({ counts }) =>
    series.reduce((sum, { key }) => sum + (counts[key] ?? 0), 0),
  );
  return Math.max(1, ...sums);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
