import { expect, test } from "vitest";
import { saysNothing } from "./says-nothing.ts";

test.each([
  ...["", " ", "\t\n", "\u00a0", "\u200b", "\ufeff ", " ".repeat(300)],
  ...["0", "-0", "+0", "000", "0.0", "0,00", "0e9", " 0 ", "00000000-0000-0000-0000-000000000000"],
  ...["null", "NULL", " null ", '"null"', "'null'", "(null)", "<null>", "nil", "<nil>", "None"],
  ...["undefined", "Undefined", "NaN", "n/a", "true", "false", "[object Object]", "{}", "[]"],
  "[redacted]",
])("%j says that there is no id", (text) => expect(saysNothing(text)).toBe(true));

test.each([
  ...["1", "-1", "0001", "0x1", "0a", "1e0", "a", "-", ".", "\ud800", "unknown", "test"],
  ...[
    "nullable",
    "null1",
    "nonexistent",
    "none-1",
    "order null",
    "00000000-0000-0000-0000-000000000001",
  ],
  `${"0".repeat(63)}1`,
])("%j is an id", (text) => expect(saysNothing(text)).toBe(false));
