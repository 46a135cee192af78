import { expect, it } from "vitest";
import { describeError } from "./field.tsx";

it("an error is a sentence with the field's name and one full stop", () => {
  expect(describeError("Name", "is missing")).toBe("Name is missing.");
  expect(describeError("Credential", "is missing. A key with “Read” is enough.")).toBe(
    "Credential is missing. A key with “Read” is enough.",
  );
  expect(describeError("Code", "Ask for another code.")).toBe("Ask for another code.");
});
