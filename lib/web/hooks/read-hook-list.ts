import { catchUrl } from "#lib/core/verify/hook/catch-url.ts";
import { type HookStatus, hookStatusSchema } from "#lib/schema/receive/hook.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  type HookStatistics,
  type HookTotals,
  listHookHours,
  listHookTotals,
} from "#lib/services/hooks/read-hooks.ts";
import { firstValue, type SearchParams } from "#lib/web/request/list-query.ts";
import { isSecretMissing, providerName } from "./hook-view.ts";

const pageSize = 25;

/**
 * The account's hooks for a URL: those that need attention first, then by last delivery. So all of
 * them are read before a page of them.
 */
export async function readHookList(context: ServiceContext, params: SearchParams) {
  const values = { q: firstValue(params.q), status: firstValue(params.status) };
  const all = await listHookTotals(context, {});
  const found = all.hooks.filter(({ hook }) =>
    fits(
      { ...hook, key: hook.path ?? hook.key, providerName: providerName(hook.provider) },
      values,
    ),
  );
  const sorted = found
    .map(({ hook, totals }) => ({
      id: hook.id,
      name: hook.name,
      status: hook.status,
      provider: hook.provider,
      providerName: providerName(hook.provider),
      catchUrl: catchUrl(context.env.publicUrl, hook),
      isSecretMissing: isSecretMissing(hook),
      ...summarize(totals),
    }))
    .toSorted((one, other) => rank(one) - rank(other) || lastMs(other) - lastMs(one));
  const pageCount = Math.max(1, Math.ceil(sorted.length / pageSize));
  const page = Math.min(Math.max(1, Math.trunc(Number(firstValue(params.page))) || 1), pageCount);
  const rows = sorted.slice((page - 1) * pageSize, page * pageSize);
  const statistics = await listHookHours(context, { ids: rows.map(({ id }) => id) });
  return {
    nowMs: context.now().getTime(),
    values,
    hooks: rows.map((row) => ({ ...row, hours: listHours(statistics.get(row.id)) })),
    total: all.hooks.length,
    found: sorted.length,
    isCut: all.isCut,
    newer: page > 1 ? link(values, page - 1) : null,
    older: page < pageCount ? link(values, page + 1) : null,
  };
}

type Values = { readonly q: string; readonly status: string };
type Named = {
  readonly name: string;
  readonly providerName: string;
  readonly status: HookStatus;
  readonly key: string;
};

/**
 * The end of a catch URL also finds its hook, because that is what the provider's settings show.
 */
function fits({ name, providerName: provider, status, key }: Named, values: Values): boolean {
  const wanted = (hookStatusSchema.options as readonly string[]).includes(values.status)
    ? values.status
    : null;
  if (wanted !== null && wanted !== status) return false;
  const q = values.q.trim().toLowerCase();
  if (q === "") return true;
  const isOfUrl = q.includes("/catch/") && q.includes(key.toLowerCase());
  return isOfUrl || [name, provider, key].some((text) => text.toLowerCase().includes(q));
}

function listHours(statistics: HookStatistics | undefined) {
  return (statistics?.hours ?? []).map(({ deliveries }) => ({
    value: sum(deliveries),
    bad: deliveries.rejected,
  }));
}

function summarize(totals: HookTotals | undefined) {
  if (totals === undefined)
    return { deliveries: 0, rejected: 0, failed: 0, retrying: 0, successRate: null, last: null };
  const { deliveries, runs, successRate, last } = totals;
  return {
    deliveries: sum(deliveries),
    rejected: deliveries.rejected,
    failed: runs.failed,
    retrying: runs.retrying,
    successRate,
    last: last === null ? null : { status: last.status, receivedAt: last.receivedAt },
  };
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function rank({
  failed,
  retrying,
  rejected,
  isSecretMissing: isMissing,
}: {
  failed: number;
  retrying: number;
  rejected: number;
  isSecretMissing: boolean;
}) {
  if (failed + retrying > 0) return 0;
  return rejected > 0 || isMissing ? 1 : 2;
}

function lastMs({ last }: { last: { receivedAt: Date } | null }): number {
  return last?.receivedAt.getTime() ?? 0;
}

function link({ q, status }: Values, page: number): string {
  const given = { q, status, page: page === 1 ? "" : String(page) };
  const params = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ""));
  return params.size === 0 ? "/hooks" : `/hooks?${params}`;
}
