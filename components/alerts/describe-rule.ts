import type { QuietHours } from "#lib/schema/watch/alert.ts";
import { lastingKinds } from "#lib/schema/watch/lasting-kinds.ts";
import type { ChannelView } from "./channel-list.tsx";
import type { RuleView } from "./rule-button.tsx";

/** When a rule tells whom, in one line. */
export function describeRule(rule: RuleView, channels: readonly ChannelView[]): string {
  const { threshold, withinSeconds, channelIds, quietHours, digest, remindMinutes } = rule;
  const names = channels.filter(({ id }) => channelIds.includes(id)).map(({ name }) => name);
  const within = describeMinutes(withinSeconds / 60);
  return [
    threshold === 1 || lastingKinds.includes(rule.kind)
      ? "The first time"
      : `${threshold.toLocaleString("en")} times in ${within}`,
    ...(names.length === 0 ? [] : [names.join(", ")]),
    ...(quietHours === null ? [] : [describeQuietHours(quietHours)]),
    ...(digest === "off" ? [] : [`${digest} digest`]),
    ...(remindMinutes === null
      ? []
      : [`reminds every ${describeMinutes(remindMinutes).replace(/^1 /, "")}`]),
  ].join(" · ");
}

function describeQuietHours({ from, to, timeZone, weekends }: QuietHours): string {
  return `quiet from ${from} to ${to}${weekends ? " and on weekends" : ""} (${timeZone})`;
}

function describeMinutes(minutes: number): string {
  const isHours = minutes >= 60 && minutes % 60 === 0;
  const count = isHours ? minutes / 60 : Math.round(minutes);
  return `${count} ${isHours ? "hour" : "minute"}${count === 1 ? "" : "s"}`;
}
