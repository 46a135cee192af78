import { type AllowList, parseCidrList } from "#lib/core/address/allow-list.ts";
import type { Env } from "#lib/env.ts";

const parsed = new WeakMap<Env, AllowList>();

/** What the operator lets actions reach although it is private. */
export function egressAllowList(env: Env): AllowList {
  const known = parsed.get(env);
  if (known !== undefined) return known;
  const list = parseCidrList(env.egressAllow.join(","));
  if (!list.ok) throw new Error(`CATCHMENT_EGRESS_ALLOW: ${list.message}`);
  parsed.set(env, list.cidrs);
  return list.cidrs;
}
