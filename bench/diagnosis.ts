import { createHmac } from "node:crypto";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { diagnoseStepwise } from "#lib/core/verify/diagnose/diagnose.ts";
import type { DiagnosisInput } from "#lib/core/verify/diagnose/diagnosis-input.ts";

/**
 * `node bench/diagnosis.ts`: the worst-case cost of a diagnosis, where nothing explains a delivery,
 * for bodies of several sizes; and the longest single step, which blocks the web process.
 */
const nowMs = Date.now();
const sizes = [450, 20_000, 250_000, 1_048_576, 10_485_760];

for (const bytes of sizes) {
  const rounds = [0, 1, 2].map(() => measure(bytes)).sort((one, other) => one.ms - other.ms);
  const { ms, maxMs, tried, isComplete } = rounds[1] ?? measure(bytes);
  const all = isComplete ? "all" : "up to the limits";
  process.stdout.write(
    `${bytes} bytes: ${ms.toFixed(0)} ms in all, ${tried} tried (${all}), longest step ${maxMs.toFixed(1)} ms\n`,
  );
}

function measure(bytes: number) {
  const steps = diagnoseStepwise(makeInput(bytes));
  const startedAt = performance.now();
  let maxMs = 0;
  for (;;) {
    const stepAt = performance.now();
    const step = steps.next();
    maxMs = Math.max(maxMs, performance.now() - stepAt);
    if (step.done === true) return { ms: performance.now() - startedAt, maxMs, ...step.value };
  }
}

/** A Stripe event signed with an unknown secret, and a hook with three secrets. */
function makeInput(bytes: number): DiagnosisInput {
  const items = Array.from({ length: Math.max(1, Math.floor(bytes / 60)) }, (_, index) => ({
    index,
    name: "Zoë",
    url: "https://a/b",
  }));
  const body = Buffer.from(
    JSON.stringify({ id: "evt_1", type: "invoice.paid", items }).padEnd(bytes, " "),
  );
  const seconds = Math.floor(nowMs / 1000);
  const signature = createHmac("sha256", "unknown")
    .update(`${seconds}.`)
    .update(body)
    .digest("hex");
  const headers = Object.assign(Object.create(null), {
    "stripe-signature": [`t=${seconds},v1=${signature}`],
    "user-agent": ["Stripe/1.0"],
    host: ["hooks.example"],
  });
  const secrets = ["whsec_one", "whsec_two", "whsec_three"].map((text, index) => ({
    id: text,
    text,
    expiredAtMs: index === 2 ? nowMs : null,
    isCurrent: index === 0,
  }));
  return {
    request: { method: "POST", url: "https://hooks.example/catch/a/b", query: "", headers, body },
    receivedAtMs: nowMs,
    wasRejected: true,
    reason: "signature_mismatch",
    hook: {
      provider: "stripe",
      scheme: findProvider("stripe")?.scheme,
      settings: {},
      methods: ["POST"],
    },
    secrets,
    otherHooks: Array.from({ length: 20 }, (_, index) => ({
      name: `Hook ${index}`,
      scheme: findProvider("github")?.scheme,
      settings: {},
      secrets: [`other ${index}`],
    })),
    wereOthersVerified: false,
  };
}
