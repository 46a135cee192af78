import { log } from "#lib/base/log.ts";
import { type BrokerUrl, nameBroker } from "#lib/core/env/broker-url.ts";
import { StartError } from "#server/system/start-error.ts";
import type { Banner } from "./banner.ts";

/** A broker that can't be reached now may be later. One that is set up wrongly is an error. */
export async function prepareBroker(
  banner: Pick<Banner, "step" | "line">,
  broker: BrokerUrl,
  maxBytes: number,
): Promise<void> {
  // Its client is loaded only if there is one.
  const { checkBroker } = await import("#lib/spool/check-broker.ts");
  await banner.step("Spool", async () => {
    const check = await checkBroker(broker, maxBytes);
    if (check.ok) return;
    const { code, message } = check.error;
    const place = `The spool's broker at ${nameBroker(broker)}`;
    if (code === "BROKER_SETUP") throw new StartError(`${place} can't be used: ${message}.`);
    banner.line(`  ! ${place} can't be reached (${message}).`);
    log.warn("spool.broker_away_at_start", { code, message });
  });
}
