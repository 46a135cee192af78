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

/** `action CRM and 2 more`. */
export function nameTargets(targets: readonly AuditTarget[]): string {
  const [first, ...others] = targets;
  if (first === undefined) return "nothing";
  const name = nameTarget(first);
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}

/** `action CRM`. An id that we made says nothing: `a backtest`. */
function nameTarget(target: AuditTarget): string {
  const kind = (kinds[target.type] ?? target.type).replaceAll("_", " ");
  const name = nameOfTarget(target);
  if (uuid.test(name)) return /^[aeio]/i.test(kind) ? `an ${kind}` : `a ${kind}`;
  return isPerson(target) ? name : `${kind} ${name}`;
}

function isPerson({ type }: AuditTarget): boolean {
  return type === "user" || type === "member" || type === "invitation";
}

const kinds: Readonly<Record<string, string>> = {
  api_token: "API token",
  bulk_job: "job",
  gap: "search for missing events",
  oauth_client: "the program",
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function nameOfTarget({ name, id }: AuditTarget): string {
  return name === undefined || name === "" ? id : name;
}
