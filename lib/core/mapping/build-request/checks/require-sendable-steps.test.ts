import { expect, test } from "vitest";
import { stepsSchema } from "#lib/schema/act/steps.ts";
import { requireSendableSteps } from "./require-sendable-steps.ts";

const invalid = "{{ data.id";

test.each([
  ["until", { kind: "delay", until: invalid }],
  ["type", { kind: "publish", type: invalid }],
  ["recipient", { kind: "publish", type: "a", recipient: invalid }],
  ["data", { kind: "publish", type: "a", data: invalid }],
  ["data.lines[1].id", { kind: "publish", type: "a", data: { lines: [1, { id: invalid }] } }],
])("an invalid template is reported at %s, where the editor marks it", (path, step) => {
  const steps = stepsSchema.parse([{ key: "one", ...step }]);
  expect(() => requireSendableSteps(steps, [])).toThrow(
    expect.objectContaining({
      code: "template_invalid",
      errors: [expect.objectContaining({ path: `steps.0.${path}` })],
    }),
  );
});
