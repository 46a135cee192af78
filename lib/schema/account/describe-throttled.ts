/** The message to someone who has to pause, such as after wrong passwords or codes. */
export function describeThrottled(retryAfterSeconds: number, what = "attempts"): string {
  return `Too many ${what}. Try again in ${describeWait(retryAfterSeconds)}.`;
}

function describeWait(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
