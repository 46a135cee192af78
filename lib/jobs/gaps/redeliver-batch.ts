import { toAuthHeader } from "#lib/core/mapping/build-request/build-headers.ts";
import type { EventList } from "#lib/core/providers/event-lists/event-list.ts";
import { toRequestAuth } from "#lib/core/sending/credential/saved-credential.ts";
import { openCredential } from "#lib/core/sending/credential/seal-credential.ts";
import {
  lockMissing,
  readSourceCredential,
  recordTaken,
  type TakenEvent,
} from "#lib/db/gaps/take-in.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import { redeliverySchema, type TakeInFilter } from "#lib/schema/receive/gap.ts";
import type { EvaluationOptions } from "../evaluation-parts.ts";
import type { Batch, RowWork } from "../lock-row.ts";

const timeoutMs = 20_000;

/**
 * Asks the provider to send the next missing delivery again. A worker that is killed in between asks
 * twice, and the second delivery is a duplicate of the first.
 */
export async function redeliverBatch(
  { tx, accountId, filter, seenBefore }: RowWork<TakeInFilter>,
  list: EventList,
  { sealer, client }: Pick<EvaluationOptions, "sealer" | "client">,
): Promise<Batch> {
  const nothing = { seenBefore, isAtEnd: true, changed: 0, runs: [] };
  const credential = await readSourceCredential(tx, accountId, filter.gapId);
  if (credential === null) throw new Error("The credential was deleted.");
  const [missing] = await lockMissing(tx, accountId, filter, 1);
  if (missing === undefined) return nothing;
  const state = missing.isHere ? "repeated" : await ask();
  await recordTaken(tx, filter.gapId, [{ key: missing.key, state, deliveryId: null }]);
  return {
    ...{ seenBefore, isAtEnd: false, runs: [], changed: state === "asked" ? 1 : 0 },
    duplicates: state === "repeated" ? 1 : 0,
    rejected: state === "refused" ? 1 : 0,
  };

  async function ask(): Promise<TakenEvent["state"]> {
    if (missing === undefined || credential === null) return "refused";
    const { redeliverAt } = redeliverySchema.parse(
      JSON.parse(Buffer.from(missing.body).toString()),
    );
    const { id, origin, version, ciphertext } = credential;
    const auth = openCredential(sealer, { id, accountId, ciphertext });
    const sent = toRequestAuth(auth);
    const header = sent === null ? null : toAuthHeader(sent);
    const request = {
      method: "POST",
      url: `${origin}${redeliverAt}`,
      headers: [["Accept", "application/json"] as const, ...(header === null ? [] : [header])],
      body: null,
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { timeoutMs, signal, maxResponseBytes: 64 * 1024 };
    const saved = { id, version, origin, auth };
    const { result } = await new CredentialCalls(client).call(request, saved, options);
    if (!result.ok) throw new Error(`${list.name} can't be reached: ${result.error.message}`);
    const { status } = result.response;
    if (status >= 200 && status < 300) return "asked";
    // It is too old by now, or gone.
    if (status === 404 || status === 410 || status === 422) return "refused";
    throw new Error(`${list.name} responded with ${status}.`);
  }
}
