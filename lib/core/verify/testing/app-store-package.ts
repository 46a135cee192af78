/** The result of Apple's own package for notifications, for tests. */
import { Environment, SignedDataVerifier } from "@apple/app-store-server-library";
import type { TestChain } from "./test-chain.ts";
import { notification } from "./test-notification.ts";

/**
 * The package's verdict on a body for an app in production, under the chain's root. Rejects if it
 * refuses. Without online checks it needs no network.
 */
export async function acceptsNotification(
  { x5c: [, , root] }: TestChain,
  bundleId = "",
  body: string,
): Promise<void> {
  const roots = [Buffer.from(root, "base64")];
  const { appAppleId } = notification.data;
  await new SignedDataVerifier(
    roots,
    false,
    Environment.PRODUCTION,
    bundleId,
    appAppleId,
  ).verifyAndDecodeNotification(JSON.parse(body).signedPayload);
}
