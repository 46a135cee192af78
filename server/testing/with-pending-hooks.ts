import Stripe from "stripe";
import { addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import { verifyPending } from "#lib/evaluate/stored/verify-pending.ts";
import { CheckThreads } from "#lib/event-schemas/check-threads.ts";
import { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

export const secret = "whsec_the_secret";
const publicOrigin = "https://hooks.example";
const signingKeys = { find: () => undefined, load: async () => false };
const threads = new CheckThreads();
export const verifyParts: EvaluationParts = {
  sealer: testSealer,
  signingKeys,
  publicOrigin,
  createEventCheck: (db) => new EventCatalog({ db, runChecks: threads.run, now: Date.now }).check,
};

/** The body of one of Stripe's events. */
export function event(id: string, type = "charge.succeeded"): string {
  return JSON.stringify({ id, object: "event", type });
}

/** The catch endpoint, and hooks that await their secret, for a test file. */
export function withPendingHooks() {
  const bench = withCatch();
  return {
    bench,
    addPending(): Promise<TestHook> {
      return addHook(bench.db, { provider: "stripe", status: "pending" });
    },
    /** Sends the body signed as Stripe does. */
    deliver(hook: TestHook, body: string, signedWith = secret, port = bench.caught.port) {
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret: signedWith,
      });
      return send(port, hook.path, {
        body,
        headers: { "content-type": "application/json", "stripe-signature": signature },
      });
    },
    addSecret(hook: TestHook, signingSecret = secret) {
      const patch = hookPatchSchema.parse({ signingSecret });
      return updateHook(testContext(bench.db, hook.accountId), { id: hook.id, ...patch });
    },
    verify(hook: TestHook) {
      return verifyPending(bench.db, hook.accountId, hook.id, verifyParts);
    },
    rowsOf(hook: TestHook) {
      return readDeliveries(bench.db, hook);
    },
  };
}
