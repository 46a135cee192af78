import { capitalize } from "#lib/base/capitalize.ts";
import type { AuditTarget } from "#lib/schema/account/audit.ts";

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

/** A word for a list, where an id that we made says nothing: `Backtest`, `Payments`, `cust_42`. */
export function wordOfTarget(target: AuditTarget): string {
  const name = nameOfTarget(target);
  return uuid.test(name) ? capitalize(target.type.replaceAll("_", " ")) : name;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function nameOfTarget({ name, id }: AuditTarget): string {
  return name === undefined || name === "" ? id : name;
}
