/**
 * Describes the missing part of a rejected body: "only 65,536 of the 9,000,000 bytes of its body
 * are stored". Null: nothing is missing.
 */
export function describeCutBody(storedBytes: number, sentBytes: number): string | null {
  if (storedBytes >= sentBytes) return null;
  if (storedBytes === 0) return `the ${show(sentBytes)} of its body are not stored`;
  return `only ${storedBytes.toLocaleString("en-US")} of the ${show(sentBytes)} of its body are stored`;
}

function show(bytes: number): string {
  return `${bytes.toLocaleString("en-US")} bytes`;
}
