import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { describeCutBody } from "#lib/core/mapping/payload/describe-cut-body.ts";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { findHandshakes } from "#lib/core/verify/hook/hook-verifier.ts";
import { listProofHeaders } from "#lib/core/verify/recognize/proof-headers.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import {
  readPairs,
  replaceDeliveries,
  type StoredRequest,
} from "#lib/db/deliveries/stored-requests.ts";
import type { AcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { type EvaluationParts, evaluateStored, prepareEvaluator } from "./evaluate-stored.ts";

/** The outcome for a rejected delivery. */
export type AcceptOutcome =
  | {
      readonly kind: "accepted";
      /** The delivery, or the new events of a batch. */
      readonly deliveryIds: readonly string[];
    }
  /** Its event had arrived before, or again since. */
  | { readonly kind: "duplicate" }
  /** It can't be checked again, because a part of it was not stored. */
  | { readonly kind: "notStored"; readonly detail: string }
  /** It is still rejected. */
  | { readonly kind: "rejected"; readonly detail: string };

/**
 * Accepts rejected deliveries of one hook that verify with its current settings, whenever they were
 * sent: they become accepted deliveries or duplicates, by the statement of the catch path, which
 * queues their runs. The caller has locked the hook and read the rows under that lock, so that two
 * concurrent calls never create a run twice.
 *
 * @returns one outcome per row, in order
 */
export async function acceptRejected(
  tx: SqlStatements,
  hook: AcceptingHook,
  rows: readonly StoredRequest[],
  parts: EvaluationParts,
): Promise<readonly AcceptOutcome[]> {
  const examined = await examineRejected(tx, hook, rows, parts);
  const passed = examined.flatMap((result) => ("delivery" in result ? [result.delivery] : []));
  const stored = await replaceDeliveries(tx, passed);
  const newIds = new Map(stored.map((one) => [one.id, listNew(one)]));
  return examined.map((result) => {
    if (!("delivery" in result)) return result;
    const deliveryIds = newIds.get(result.delivery.id) ?? [];
    return deliveryIds.length === 0 ? { kind: "duplicate" } : { kind: "accepted", deliveryIds };
  });
}

type Examined = { readonly delivery: NewDelivery } | Extract<AcceptOutcome, { detail: string }>;

/** Computes the outcomes without changing anything. */
export async function examineRejected(
  db: SqlStatements,
  hook: AcceptingHook,
  rows: readonly StoredRequest[],
  parts: EvaluationParts,
): Promise<readonly Examined[]> {
  const evaluator = await prepareEvaluator(db, hook, parts, {
    choice: { ignoreTimestamp: true },
    handshakes: findHandshakes(hook),
  });
  const examine = async (row: StoredRequest): Promise<Examined> => {
    if (!hook.methods.includes(row.method))
      return rejected(`The hook only accepts ${hook.methods.join(", ")}.`);
    const cut = describeCutBody(row.body.byteLength, row.bodySize);
    if (cut !== null) return notStored(cut);
    if (isBodyMissing(row)) return notStored("its body was not read before it was rejected");
    const evaluated = await evaluateStored(evaluator, row, parts);
    switch (evaluated.kind) {
      case "keyMissing":
        return rejected(
          "The provider's signing key can't be fetched just now. Try again in a minute.",
        );
      case "handshake":
        return rejected(
          "This is a handshake, not an event, so there is nothing to run. Have the provider repeat it.",
        );
      case "failed":
        if (isCredentialHidden(hook, row))
          return notStored("its token or password is never stored");
        return rejected(evaluated.rejection?.detail ?? "");
      case "delivery":
        return evaluated.rejection === null
          ? { delivery: evaluated.delivery }
          : rejected(evaluated.rejection.detail);
      default:
        return evaluated satisfies never;
    }
  };
  return await Promise.all(
    rows.map((row) =>
      examine(row).catch((error: unknown) => {
        log.error("delivery.not_examined", { deliveryId: row.id, error: toError(error) });
        return rejected("This delivery can't be read. The server's log has the error.");
      }),
    ),
  );
}

/** True if the request was rejected because of its method or size, before its body was read. */
function isBodyMissing(row: StoredRequest): boolean {
  if (
    row.body.byteLength > 0 ||
    !["method_not_allowed", "body_too_large"].includes(row.reason ?? "")
  )
    return false;
  const headers = toDistinctHeaders(readPairs(row));
  const length = headers["content-length"]?.[0] ?? "0";
  return length !== "0" || headers["transfer-encoding"] !== undefined;
}

/**
 * Tokens and passwords are secrets in plain text, so a rejected delivery has a placeholder instead.
 */
function isCredentialHidden(
  { provider, verification }: AcceptingHook,
  row: StoredRequest,
): boolean {
  const scheme = findProvider(provider)?.scheme ?? verification;
  const headers = toDistinctHeaders(readPairs(row));
  const isHidden = listProofHeaders({ scheme }).some(
    (name) => headers[name]?.some((value) => value.includes(redactionMark)) === true,
  );
  return (
    isHidden || row.query.includes(`=${redactionMark}`) || row.path.startsWith(`/${redactionMark}`)
  );
}

function listNew({ id, duplicateOf, events }: StoredDelivery): readonly string[] {
  return (events ?? [{ id, duplicateOf }]).flatMap((one) =>
    one.duplicateOf === null ? [one.id] : [],
  );
}

function rejected(detail: string): Extract<AcceptOutcome, { kind: "rejected" }> {
  return { kind: "rejected", detail };
}

function notStored(why: string): Extract<AcceptOutcome, { kind: "notStored" }> {
  return {
    kind: "notStored",
    detail: `This delivery can't be checked again, because ${why}. Ask the provider to send it again.`,
  };
}
