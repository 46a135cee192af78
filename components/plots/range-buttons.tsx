import { classNames } from "#components/ui/class-names.ts";
import type { ActivityRange } from "#lib/schema/watch/activity.ts";

const ranges = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

type RangeButtonsProps = {
  readonly range: ActivityRange;
  readonly choose: (range: ActivityRange) => void;
};

export function RangeButtons({ range, choose }: RangeButtonsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out like other elements
    <div role="group" aria-label="Range" className="flex self-end lg:self-start">
      {ranges.map(([id, words]) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === range}
          onClick={() => choose(id)}
          className={classNames(
            "min-h-6 cursor-pointer rounded px-2 text-xs font-medium tabular-nums",
            id === range ? "bg-muted" : "text-muted-foreground hover:text-foreground",
          )}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
