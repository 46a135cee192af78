type Bar = { readonly value: number /** Part of `value`. */; readonly bad: number };

/**
 * Small bars over time, drawn on the server, with a label for screen readers. Zero bars leave a
 * line.
 */
export function Sparkline({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const width = bars.length * step;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className="block"
    >
      <title>{label}</title>
      {bars.map(({ value, bad }, at) => {
        const full = toHeight(value, most);
        const badPart = value === 0 ? 0 : Math.max((full * bad) / value, bad > 0 ? 1.5 : 0);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its position in time
          <g key={at}>
            <rect
              x={at * step}
              y={height - full}
              width={step - 1}
              height={full}
              className={value === 0 ? "fill-border" : "fill-primary"}
            />
            {badPart > 0 && (
              <rect
                x={at * step}
                y={height - badPart}
                width={step - 1}
                height={badPart}
                className="fill-negative"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}

const step = 4;
const height = 24;

/** One of many thousands stays visible. */
function toHeight(value: number, most: number): number {
  return value === 0 ? 1 : Math.max(2.5, (value / most) * height);
}
