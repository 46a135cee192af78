import { cache } from "react";
import { toCurlCommand } from "#lib/core/api/http/curl-command.ts";
import { readTemplateOrigin } from "#lib/core/mapping/build-request/template-origin.ts";
import { classifyContentType } from "#lib/core/mapping/payload/content-kind.ts";
import { readMultipartForm } from "#lib/core/mapping/payload/multipart.ts";
import { TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { IdentityPart } from "#lib/core/verify/dedupe/identify-event.ts";
import { catchUrl } from "#lib/core/verify/hook/catch-url.ts";
import { firstCallOf } from "#lib/schema/act/steps.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import { isReplayable } from "#lib/schema/receive/delivery-status.ts";
import type { DedupeSource } from "#lib/schema/receive/event-rules.ts";
import type { ActionRecord } from "#lib/services/actions/read-actions.ts";
import { getDeliveryWithHook } from "#lib/services/deliveries/explain-delivery.ts";
import type { DeliveryRecord } from "#lib/services/deliveries/read-deliveries.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { canCountDuplicates } from "#lib/services/hooks/check-identity.ts";
import type { HookRecord } from "#lib/services/hooks/read-hooks.ts";
import { showDelivery } from "#lib/web/deliveries/delivery-view.ts";
import { readResponses } from "#lib/web/listeners/response-view.ts";
import { readRunsOfDelivery } from "#lib/web/runs/delivery-runs.ts";
import { readClaimedEvent, toBodyStart, viewBody, viewResponse } from "./delivery-body.ts";

/**
 * Limits in bytes of the page. Together they are well below a delivery page's limit of a megabyte.
 */
const budgets = { tree: 320_000, raw: 200_000, messages: 200_000, headers: 80_000 };
const maxHeaders = 200;

/**
 * One delivery with its timeline and runs, cut to what a page can hold. Read once for its page and
 * title. Throws `not_found`.
 */
export const readDeliveryPage = cache(async (context: ServiceContext, id: string) => {
  const found = await getDeliveryWithHook(context, { id });
  const { delivery, decoded, hook, actions, relations, reply, whys } = found;
  const messages = new TextBudget(budgets.messages);
  const runs = await readRunsOfDelivery(
    context,
    { id: delivery.id, receivedAt: delivery.receivedAt, actions, whys },
    messages,
  );
  const responses = await readResponses(context, delivery.id, messages);
  const shown = showDelivery({ delivery, decoded, runs: [], fetched: null, reply });
  const headerBudget = new TextBudget(budgets.headers);
  const { eventType, eventId } =
    delivery.status === "rejected" ? readClaimedEvent(delivery, hook, decoded) : delivery;
  const query = shown.query === "" ? "" : `?${shown.query}`;
  const isWhole = shown.storedBodySize === delivery.bodySize;
  const curl = toCurlCommand({
    url: `${catchUrl(context.env.publicUrl, hook)}${delivery.path}${query}`,
    method: delivery.method,
    headers: shown.rawHeaders,
    body: shown.bodyEncoding === "utf8" && isWhole ? shown.body : null,
  });
  return {
    nowMs: context.now().getTime(),
    delivery: {
      id: delivery.id,
      status: delivery.status,
      reason: delivery.reason,
      detail: delivery.detail,
      receivedAt: delivery.receivedAt,
      method: delivery.method,
      response: viewResponse(delivery, hook, reply, responses),
      path: headerBudget.take(`${delivery.path}${query}`, 2_000).text,
      contentType: delivery.contentType,
      bodySize: delivery.bodySize,
      eventId: eventId === null ? null : headerBudget.take(eventId, 500).text,
      eventType: eventType === null ? null : headerBudget.take(eventType, 500).text,
      duplicateOf: delivery.duplicateOf,
      duplicateDiffers: delivery.duplicateDiffers === true,
      batchId: delivery.batchId,
      verificationOutcome: delivery.verificationOutcome,
      verificationScheme: delivery.verificationScheme,
      sourceIp: delivery.sourceIp,
      isSample: delivery.isSample,
    },
    hook: {
      id: hook.id,
      name: hook.name,
      status: hook.status,
      verifiesBy: verifiesBy(hook),
      dedupesBy: dedupesBy(hook),
      comparesContent: listSources<DedupeSource>(hook.dedupe).some(
        ({ from }) => from === "content" || from === "request",
      ),
      hasActions: actions.length > 0,
      canCountDuplicates: canCountDuplicates(hook),
    },
    replayable: isReplayable(delivery.status) ? listReplayable(actions) : [],
    ...relations,
    responses,
    body: viewBody(shown, { tree: new TextBudget(budgets.tree), raw: new TextBudget(budgets.raw) }),
    headers: shown.rawHeaders
      .slice(0, maxHeaders)
      .map(
        ([name, value]) =>
          [headerBudget.take(name, 200).text, headerBudget.take(value, 4_000).text] as const,
      ),
    query: [...new URLSearchParams(shown.query)]
      .slice(0, maxHeaders)
      .map(
        ([name, value]) =>
          [headerBudget.take(name, 200).text, headerBudget.take(value, 4_000).text] as const,
      ),
    parts: listParts(delivery, headerBudget),
    areHeadersCut: headerBudget.isSpent || shown.rawHeaders.length > maxHeaders,
    curl,
    suggestion: hook.provider === "generic" ? shown.suggestedProvider : null,
    ...runs,
  };
});

/** The parts of a multipart form; empty for other bodies. */
function listParts({ body, contentType }: DeliveryRecord, budget: TextBudget) {
  if (contentType === null || classifyContentType(contentType) !== "multipart") return [];
  const parts = readMultipartForm(body, contentType)?.parts ?? [];
  return parts.slice(0, maxShownParts).map((part) => ({
    name: budget.take(part.name, 200).text,
    fileName: part.fileName === null ? null : budget.take(part.fileName, 200).text,
    contentType: part.contentType === null ? null : budget.take(part.contentType, 200).text,
    size: part.body.byteLength,
    text: budget.take(toBodyStart(part.body.subarray(0, maxPartBytes)) ?? "").text,
  }));
}

const maxShownParts = 64;
const maxPartBytes = 500;

type ReplayableAction = Pick<
  ActionRecord,
  "id" | "name" | "enabled" | "position" | "request" | "steps"
>;

/** The actions that a delivery can be replayed with, in the order in which they are queued. */
function listReplayable(actions: readonly ReplayableAction[]) {
  return actions
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.position - b.position)
    .map((action) => {
      const { id, name, steps } = action;
      const call = firstCallOf(action);
      const host = call === null ? "no call" : hostOf(call.url);
      const stepCount = steps?.length ?? 1;
      return { id, name, method: call?.method ?? "", host, stepCount };
    });
}

function hostOf(url: string): string {
  return readTemplateOrigin(url)?.replace(/^https?:\/\//, "") ?? "a URL that the delivery decides";
}

function verifiesBy({ provider }: Pick<HookRecord, "provider">): string {
  return (
    findProvider(provider)?.name ?? (provider === "custom" ? "the hook's own scheme" : "nothing")
  );
}

/** "the payload's id, or the header x-event-id"; null if nothing is compared. */
function dedupesBy({ dedupe }: Pick<HookRecord, "dedupe">): string | null {
  const sources = listSources<DedupeSource>(dedupe).map((source) =>
    source.from === "all"
      ? source.of.map(describePart).join(" together with ")
      : describePart(source),
  );
  return sources.length === 0 ? null : sources.join(", or ");
}

function describePart(part: IdentityPart): string {
  switch (part.from) {
    case "content":
      return part.except === undefined
        ? "the whole content"
        : `the content without ${part.except.join(" and ")}`;
    case "request":
      return "the whole request";
    case "event":
      return "the event's id";
    case "header":
      return `the header ${part.name}`;
    case "query":
      return `the query parameter ${part.name}`;
    case "path":
      return `segment ${part.segment} of the path`;
    default:
      return `the payload's ${part.path}`;
  }
}
