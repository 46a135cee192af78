/** True if both URLs have the same origin. Secrets only go to the origin that they were entered for. */
export function isSameOrigin(one: string, other: string): boolean {
  const origin = URL.parse(one)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
}
