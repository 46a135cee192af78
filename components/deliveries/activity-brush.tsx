"use client";

import { useRouter } from "next/navigation";
import { type PointerEvent, useState, useTransition } from "react";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { describeBucket } from "#components/ui/time/describe-bucket.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery.ts";

type ActivityBrushProps = {
  readonly fromMs: number;
  readonly bucketMs: number;
  readonly bars: readonly (readonly number[])[];
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** The statuses of the counts in a bar. */
  readonly statuses: readonly DeliveryStatus[];
  /** The time that the bars cover, in words. */
  readonly title: string;
};

type Range = { readonly start: number; readonly end: number };

/**
 * Bars over time. Dragging over them, or a click on one, shows the deliveries of that time. The
 * filter "Received" does the same by keyboard, and the counts below are for screen readers.
 */
export function ActivityBrush(props: ActivityBrushProps) {
  const { fromMs, bucketMs, bars, statuses, path, params, title } = props;
  const router = useRouter();
  const timeZone = useTimeZone();
  const isInBrowser = useHydrated();
  const [over, setOver] = useState<number | null>(null);
  const [drag, setDrag] = useState<Range | null>(null);
  const [isPending, startTransition] = useTransition();

  const barAt = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * bars.length);
    return Math.min(bars.length - 1, Math.max(0, at));
  };

  function choose({ start, end }: Range) {
    const first = Math.min(start, end);
    const last = Math.max(start, end) + 1;
    const times = {
      since: "between",
      from: toUtcMinute(fromMs + first * bucketMs),
      to: toUtcMinute(fromMs + last * bucketMs),
    };
    const given = Object.entries({ ...params, ...times }).filter(([, value]) => value !== "");
    startTransition(() => router.push(`${path}?${new URLSearchParams(given)}`, { scroll: false }));
  }

  const shown = drag ?? (over === null ? null : { start: over, end: over });
  return (
    <div className="grid gap-1" aria-busy={isPending}>
      <p aria-hidden className="truncate text-xs text-muted-foreground tabular-nums">
        {shown === null || !isInBrowser
          ? title
          : describeRange({ shown, fromMs, bucketMs, bars, statuses, timeZone })}
      </p>
      <svg
        aria-hidden
        viewBox={`0 0 ${bars.length} ${height}`}
        preserveAspectRatio="none"
        data-brush
        className="h-14 w-full cursor-crosshair touch-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = barAt(event);
          setDrag({ start: at, end: at });
        }}
        onPointerMove={(event) => {
          const at = barAt(event);
          setOver(at);
          if (drag !== null && drag.end !== at) setDrag({ ...drag, end: at });
        }}
        onPointerLeave={() => setOver(null)}
        onPointerCancel={() => setDrag(null)}
        onPointerUp={() => {
          if (drag !== null) choose(drag);
          setDrag(null);
        }}
      >
        <Bars bars={bars} statuses={statuses} />
        {shown !== null && (
          <rect
            x={Math.min(shown.start, shown.end)}
            y={0}
            width={Math.abs(shown.end - shown.start) + 1}
            height={height}
            className={drag === null ? "fill-foreground/10" : "fill-primary/20"}
          />
        )}
      </svg>
    </div>
  );
}

const height = 56;

/** From bottom to top. The exceptions are on top, and never too small to be seen. */
const layers: readonly { readonly of: readonly DeliveryStatus[]; readonly className: string }[] = [
  { of: ["accepted"], className: "fill-primary" },
  { of: ["duplicate", "handshake", "batch"], className: "fill-input" },
  { of: ["pending"], className: "fill-caution" },
  { of: ["rejected"], className: "fill-negative" },
];

/** Each layer is one path. */
function Bars({ bars, statuses }: Pick<ActivityBrushProps, "bars" | "statuses">) {
  const sums = bars.map((bar) => bar.reduce((sum, count) => sum + count, 0));
  const most = Math.max(1, ...sums);
  const bottoms = bars.map(() => 0);
  return (
    <>
      <path className="fill-border" d={`M0 ${height}v-1h${bars.length}v1z`} />
      {layers.map(({ of, className }) => {
        const drawn = bars.flatMap((bar, at) => {
          const count = of.reduce((sum, status) => sum + (bar[statuses.indexOf(status)] ?? 0), 0);
          if (count === 0) return [];
          const tall = Math.max(2, (count / most) * (height - 4));
          const bottom = bottoms[at] ?? 0;
          bottoms[at] = bottom + tall;
          return [`M${at + 0.1} ${round(height - bottom)}v${-round(tall)}h.8v${round(tall)}z`];
        });
        return drawn.length === 0 ? null : (
          <path key={className} className={className} d={drawn.join("")} />
        );
      })}
    </>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

type Described = Pick<ActivityBrushProps, "fromMs" | "bucketMs" | "bars" | "statuses"> & {
  readonly shown: Range;
  readonly timeZone: string | undefined;
};

/** The time of the bars, and what arrived in it. */
function describeRange({ shown, fromMs, bucketMs, bars, statuses, timeZone }: Described): string {
  const first = Math.min(shown.start, shown.end);
  const last = Math.max(shown.start, shown.end);
  const counts = statuses.flatMap((status, at) => {
    const count = bars.slice(first, last + 1).reduce((sum, bar) => sum + (bar[at] ?? 0), 0);
    const words = deliveryStatusWords[status].words.toLowerCase();
    return count === 0 ? [] : [`${count.toLocaleString("en")} ${words}`];
  });
  const spanMs = (last - first + 1) * bucketMs;
  const time = describeBucket(fromMs + first * bucketMs, spanMs, timeZone);
  return `${time}: ${counts.length === 0 ? "nothing" : counts.join(", ")}`;
}

/** A time as the URL of a list has it. */
function toUtcMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}
