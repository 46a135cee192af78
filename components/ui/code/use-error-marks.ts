"use client";

import { useMemo } from "react";
import type { Mark } from "./suggestion.ts";

const errorClass =
  "rounded-sm bg-negative-ground underline decoration-negative decoration-wavy **:text-foreground!";

/** Marks an error from its position to the end of the word, or of the line. */
export function useErrorMarks(line: number | undefined, column: number | undefined) {
  return useMemo(() => {
    if (line === undefined) return () => [];
    return (text: string): readonly Mark[] => {
      const lines = text.split("\n");
      const own = lines[line - 1];
      if (own === undefined) return [];
      const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      const at = Math.min((column ?? 1) - 1, own.length);
      const word = /^[\p{L}\p{N}_$.]+/u.exec(own.slice(at))?.[0].length ?? own.length - at;
      // At the end of a line, the whole line is marked.
      const [from, to] = word === 0 ? [0, own.length] : [at, at + word];
      return from === to ? [] : [{ from: start + from, to: start + to, className: errorClass }];
    };
  }, [line, column]);
}
