"use client";

import { useEffect, useRef, useState } from "react";

/**
 * Orders responses: they can arrive out of order, and only the response to the newest question
 * counts.
 */
export class Latest {
  #current: AbortController | undefined;

  /** Null: `ask` or `stop` was called meanwhile. That also aborts the signal. */
  async ask<Result extends object>(
    question: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | null> {
    this.stop();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const result = await question(signal);
    return signal.aborted ? null : result;
  }

  stop(): void {
    this.#current?.abort();
  }
}

export function useLatest(): Latest {
  const [latest] = useState(() => new Latest());
  return latest;
}

/**
 * Asks once the question has been stable for a moment. The last response stays until the next one.
 * Null: nothing to ask.
 */
export function useLatestResponse<Result extends object>(
  question: string | null,
  pauseMs: number,
  ask: (question: string, signal: AbortSignal) => Promise<Result>,
): Result | undefined {
  const [result, setResult] = useState<Result>();
  const latest = useLatest();
  const asking = useRef(ask);
  asking.current = ask;

  useEffect(() => {
    if (question === null) {
      setResult(undefined);
      return;
    }
    const timer = setTimeout(async () => {
      const next = await latest.ask((signal) => asking.current(question, signal));
      if (next !== null) setResult(next);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      latest.stop();
    };
  }, [question, pauseMs, latest]);

  return result;
}
