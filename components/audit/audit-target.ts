import type { AuditTarget } from "#lib/schema/audit.ts";

/** The pages of things, by the type of a target. Others have none. */
const pages: Readonly<Record<string, string>> = {
  action: "/actions",
  backtest: "/backtests",
  credential: "/credentials",
  delivery: "/deliveries",
  destination: "/destinations",
  event: "/events",
  event_type: "/event-types",
  hook: "/hooks",
  recipient: "/recipients",
  subscription: "/subscriptions",
};

/** The page of a target, which may be gone. Null: it has none. */
export function linkOfTarget({ type, id }: AuditTarget): string | null {
  const page = Object.hasOwn(pages, type) ? pages[type] : undefined;
  return page === undefined ? null : `${page}/${encodeURIComponent(id)}`;
}

export function nameOfTarget({ name, id }: AuditTarget): string {
  return name === undefined || name === "" ? id : name;
}
