import { expect, it } from "vitest";
import { AppError } from "#lib/base/errors.ts";
import { parseInput } from "#lib/core/api/parse-input.ts";
import { byId } from "#lib/schema/field/common.ts";
import { isGone } from "./is-gone.ts";

const errorOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

it.each([
  ["an unknown id", new AppError("not_found", "There is no hook with this id."), true],
  ["an id that can't be one", errorOf(() => parseInput(byId, { id: "a".repeat(501) })), true],
  ["another field", errorOf(() => parseInput(byId, { id: "a", other: 1 })), false],
  ["a right that is missing", new AppError("forbidden", "Only owners can."), false],
  ["any other error", new Error("closed"), false],
])("%s", (_, error, gone) => expect(isGone(error)).toBe(gone));
