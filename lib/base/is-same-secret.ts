import { timingSafeEqual } from "node:crypto";

/** Takes as long for a nearly right text as for a wrong one. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
