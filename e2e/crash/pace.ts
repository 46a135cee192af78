/** A first start takes 4 to 8 s on two quiet cores. */
const quietStartMs = 8_000;

export type Pace = {
  /**
   * The factor by which this machine is slower than a quiet one, judging by the slowest start so far. At
   * least 1. Promises in seconds are compared with seconds of that pace.
   */
  readonly factor: () => number;
  /** Starts a server. Later starts count too, because a machine may slow down. */
  time<Server>(start: () => Promise<Server>): Promise<Server>;
};

export function measurePace(): Pace {
  let slowestMs = quietStartMs;
  return {
    factor: () => slowestMs / quietStartMs,
    async time(start) {
      const startedAt = performance.now();
      const server = await start();
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      return server;
    },
  };
}
