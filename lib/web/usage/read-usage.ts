import { type UsageGroup, usageGroups } from "#lib/schema/account/usage.ts";
import { listUsage } from "#lib/services/account/usage.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readList } from "#lib/web/request/read-list.ts";

const path = "/account/usage";

/** A page of what the account has used, and links to the other groups and times. */
export async function readUsagePage(context: ServiceContext, params: SearchParams) {
  const list = { path, names: ["by", "hookId", "recipient"] as const, params };
  const { items, values, problems, links, nowMs } = await readList(context, listUsage, list);
  const by = usageGroups.find((each) => each === values.by) ?? "day";
  const chosen = { ...values, since: values.since === "30d" ? "" : values.since };
  const link = (change: Readonly<Record<string, string>>) => {
    const kept = Object.entries({ ...chosen, ...change }).filter(([, value]) => value !== "");
    return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
  };
  return {
    by,
    rows: items.map(({ by: _, ...row }) => row),
    values,
    problems,
    links,
    groups: usageGroups.map((each) => ({
      href: link({ by: each === "day" ? "" : each }),
      name: groupNames[each],
      isCurrent: each === by,
    })),
    times: listTimes(nowMs).map(({ name, ...time }) => ({
      href: link(time),
      name,
      isCurrent: Object.entries(time).every(
        ([key, value]) => chosen[key as keyof typeof time] === value,
      ),
    })),
    /** Whose usage it is. Null: that of the account. */
    only: values.recipient !== "" ? values.recipient : values.hookId !== "" ? values.hookId : null,
    everyone: link({ hookId: "", recipient: "" }),
  };
}

const groupNames: Readonly<Record<UsageGroup, string>> = {
  day: "By day",
  hook: "By hook",
  recipient: "By recipient",
};

/** The months are those of UTC, as the days are. */
function listTimes(nowMs: number) {
  const now = new Date(nowMs);
  const month = (ago: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 10);
  const between = { since: "between" };
  return [
    { name: "30 days", since: "", from: "", to: "" },
    { name: "This month", ...between, from: month(0), to: month(-1) },
    { name: "Last month", ...between, from: month(1), to: month(0) },
  ];
}
