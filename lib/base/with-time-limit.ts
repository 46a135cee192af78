/**
 * Returns the result of `work`, or what `onLate` returns or throws if that takes longer than
 * `limitMs`. Late work continues, and its error is ignored. The timer ends with the work.
 */
export function withTimeLimit<Value, Late>(
  work: Promise<Value>,
  limitMs: number,
  onLate: () => Late,
): Promise<Value | Late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(Promise.try(onLate)), limitMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
