import { hexToId } from "#lib/base/ids.ts";

/**
 * The key of an event in `dedupe_keys`: the first 16 bytes of its hash, exclusive or the hook's id.
 * To collide with another hook's key on purpose, one must find a value with a given half of a
 * SHA-256.
 *
 * @param hash 32 bytes
 * @returns a UUID in lower case
 */
export function toDedupeKey(hookId: string, hash: Uint8Array): string {
  const hook = Buffer.from(hookId.replaceAll("-", ""), "hex");
  for (let index = 0; index < hook.length; index += 1)
    hook[index] = (hook[index] ?? 0) ^ (hash[index] ?? 0);
  return hexToId(hook.toString("hex"));
}
