import { describeCount } from "#components/ui/text/describe-count.ts";

export function describeUses(uses: {
  readonly actions: number;
  readonly destinations: number;
}): string {
  const parts = [
    ...(uses.actions === 0 ? [] : [describeCount(uses.actions, "action")]),
    ...(uses.destinations === 0 ? [] : [describeCount(uses.destinations, "destination")]),
  ];
  return parts.length === 0 ? "Nothing" : parts.join(", ");
}
