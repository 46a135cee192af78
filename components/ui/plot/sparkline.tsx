"use client";

type SparklineProps = {
  readonly bars: readonly number[];
  /** The bad part of each bar. Empty: none. */
  readonly bad: readonly number[];
  readonly label: string;
  /** True: it is as wide as its place. */
  readonly isWide?: boolean;
  /** The bar that is pointed at. */
  readonly marked?: number | null;
};

/**
 * Small bars over time, with a label for screen readers. Zero bars leave a line. Each color is one
 * path, because a list has hundreds of bars. A client component: React may send parts of a server
 * component's drawing later, inside an element with an inline style, which our policy blocks.
 */
export function Sparkline(props: SparklineProps) {
  const { bars, bad, label, isWide = false, marked = null } = props;
  const most = Math.max(1, ...bars);
  const width = bars.length * step;
  const heights = bars.map((value) => toHeight(value, most));
  const badHeights = bad.map((part, at) => {
    const [value = 0, full = 0] = [bars[at], heights[at]];
    return value === 0 ? 0 : Math.max((full * part) / value, part > 0 ? 1.5 : 0);
  });
  return (
    <svg
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={isWide ? "100%" : width}
      height={isWide ? wideHeight : height}
      preserveAspectRatio={isWide ? "none" : undefined}
    >
      <title>{label}</title>
      {marked !== null && (
        <rect x={marked * step - 0.5} width={step} height={height} className="fill-foreground/10" />
      )}
      <Bars heights={heights.map((_, at) => (bars[at] === 0 ? 1 : 0))} className="fill-border" />
      <Bars
        heights={heights.map((full, at) => (bars[at] === 0 ? 0 : full))}
        className="fill-primary"
      />
      <Bars heights={badHeights} className="fill-negative" />
    </svg>
  );
}

const step = 4;
const height = 24;
/** In pixels, of one that is as wide as its place. */
const wideHeight = 40;

function Bars({ heights, className }: { heights: readonly number[]; className: string }) {
  const drawn = heights.flatMap((tall, at) =>
    tall === 0 ? [] : [`M${at * step} ${height}v${-round(tall)}h${step - 1}V${height}`],
  );
  return drawn.length === 0 ? null : <path className={className} d={drawn.join("")} />;
}

/** Even one of many thousands stays visible. */
function toHeight(value: number, most: number): number {
  return value === 0 ? 1 : Math.max(2.5, (value / most) * height);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
