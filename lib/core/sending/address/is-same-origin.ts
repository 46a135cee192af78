import { readReceiverOrigin } from "./broker-receiver.ts";

/** True if both URLs have the same origin. Secrets only go to the origin that they were entered for. */
export function isSameOrigin(one: string, other: string): boolean {
  const origin = readReceiverOrigin(one);
  return origin !== undefined && origin === readReceiverOrigin(other);
}
