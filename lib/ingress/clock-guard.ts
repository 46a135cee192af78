import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import {
  clockRefusesBeyondMs,
  clockWarnsBeyondMs,
  describeOffset,
} from "#lib/core/watch/follow-clock.ts";

/** Read by the database: see `readClock`. */
type Reading = {
  readonly machineOffMs: number;
  readonly databaseBehindMs: number;
  readonly event: "steady" | "jumped" | "corrected" | "behind";
  readonly stepMs: number;
};

type ClockGuardOptions = {
  readonly read: () => Promise<Reading>;
  readonly now: () => number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
};

const everyMs = 60_000;
/** The database may be away, and the spool takes what comes. */
const firstCheckMs = 4_000;

/**
 * Ids and times are made with this machine's clock, and decide the week of a row. The guard compares
 * it with the database's at the start and every minute, and refuses requests while it is off by over
 * an hour. Between two looks, a step of the clock is seen by one that is never set.
 */
export class ClockGuard {
  readonly #options: ClockGuardOptions;
  readonly #timer: NodeJS.Timeout;
  #refusal: string | null = null;
  /** This machine's clock, less the one that is never set, when it was last compared. */
  #comparedAt: number;
  #checking: Promise<void> | undefined;

  constructor(options: ClockGuardOptions) {
    this.#options = options;
    this.#comparedAt = options.now() - options.elapsed();
    this.#timer = setInterval(() => void this.check(), everyMs);
    this.#timer.unref();
  }

  /** Compares at once, and waits for it, though not for long. */
  async begin(): Promise<void> {
    await withTimeLimit(this.check(), firstCheckMs, () => {});
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Why nothing may be stored now, in a sentence. Null: nothing is known to be wrong. */
  readonly refusal = (): string | null => {
    const { now, elapsed } = this.#options;
    const steppedMs = now() - elapsed() - this.#comparedAt;
    if (Math.abs(steppedMs) <= clockRefusesBeyondMs) return this.#refusal;
    void this.check();
    // A machine that slept is ahead. A clock that went back would make ids of a past week.
    return steppedMs < 0 ? (this.#refusal ?? steppedBack) : this.#refusal;
  };

  check(): Promise<void> {
    this.#checking ??= this.#compare().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #compare(): Promise<void> {
    const { read, now, elapsed } = this.#options;
    const at = now() - elapsed();
    try {
      const reading = await read();
      this.#comparedAt = at;
      this.#refusal = findFault(reading);
    } catch (error) {
      logCounted("warn", "clock.not_compared", { reason: toError(error).message });
    }
  }
}

const steppedBack = "The server's clock was set back by over an hour.";

/** Logs what is wrong. @returns why nothing may be stored */
function findFault({ machineOffMs, databaseBehindMs, event, stepMs }: Reading): string | null {
  if (event === "jumped") log.warn("clock.jumped", { aheadMs: Math.round(stepMs) });
  if (event === "corrected") log.warn("clock.corrected", { backMs: Math.round(-stepMs) });
  const offMs = machineOffMs - databaseBehindMs;
  if (Math.abs(machineOffMs) > clockRefusesBeyondMs) {
    log.error("clock.wrong", { offMs: Math.round(machineOffMs), comparedWith: "database" });
    return `The server's clock is ${describeOffset(machineOffMs)}, compared with the database's.`;
  }
  if (databaseBehindMs > clockRefusesBeyondMs) {
    log.error("clock.wrong", { offMs: Math.round(-databaseBehindMs), comparedWith: "before" });
    return `The server's clock is ${describeOffset(-databaseBehindMs)}, compared with what it showed before.`;
  }
  if (Math.abs(offMs) > clockWarnsBeyondMs) log.warn("clock.off", { offMs: Math.round(offMs) });
  return null;
}
