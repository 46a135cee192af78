/** The number of promises that were kept and broken, over all ledgers of a run. */
let passed = 0;
let failed = 0;

type Verdicts = readonly { readonly invariant: string; readonly breaches: readonly string[] }[];

export function checkAll(verdicts: Verdicts & readonly { readonly promise: string }[]): boolean {
  for (const { invariant, promise, breaches } of verdicts)
    check(breaches.length === 0, `${invariant} ${promise}`, breaches);
  return verdicts.every(({ breaches }) => breaches.length === 0);
}

export function check(isTrue: boolean, what: string, breaches: readonly string[] = []): void {
  if (isTrue) passed += 1;
  else failed += 1;
  say(
    `  ${isTrue ? "✓" : "✗"} ${what}${breaches.length > 0 ? `: ${breaches.length} breaches` : ""}`,
  );
  for (const breach of breaches.slice(0, 5)) say(`      ${breach}`);
}

export function countFailed(): number {
  return failed;
}

/** True if the ledger noticed that a server was broken on purpose. */
export function isCaught(verdicts: Verdicts, wanted: string): boolean {
  const breaches = verdicts.find(({ invariant }) => invariant === wanted)?.breaches ?? [];
  check(breaches.length > 0, `caught: ${wanted} broken ${breaches.length} times`);
  return breaches.length > 0;
}

/** @returns the exit code */
export function sayTotals(): 0 | 1 {
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

export function sayMore(line: string): void {
  say(`    ${line}`);
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @returns false if a call took longer until it was made again, in seconds of the machine's pace */
export function checkAgain(
  which: string,
  timesMs: readonly number[],
  seconds: number,
  pace: number,
): boolean {
  const maxMs = Math.max(0, ...timesMs);
  const isWithin = maxMs <= seconds * 1_000 * pace;
  const calls = `${timesMs.length} calls ${which} were made again`;
  check(isWithin, `${calls} within ${seconds} s (longest: ${maxMs} ms)`);
  return isWithin;
}
