/** Notifications of the App Store, for tests. */
import { sign } from "node:crypto";
import type { TestChain } from "./test-chain.ts";

export const notification = {
  notificationType: "DID_RENEW",
  notificationUUID: "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
  data: { appAppleId: 1234567890, bundleId: "com.example.app", environment: "Production" },
  signedDate: Date.UTC(2026, 10, 1),
};

/** The differences from a valid token. `by` signs it. */
export type TokenChanges = {
  readonly header?: object;
  readonly claims?: object;
  readonly by?: TestChain;
};

export function notificationToken({
  header = {},
  claims = {},
  by,
}: TokenChanges & { readonly by: TestChain }): string {
  const head = { alg: "ES256", x5c: by.x5c, ...header };
  const text = [head, { ...notification, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const key = { key: by.privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
