export type FoundChromium = { kind: "playwright" } | { kind: "system"; path: string };
export function findChromium(): Promise<FoundChromium | undefined>;
