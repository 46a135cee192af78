import { AppError } from "#lib/errors.ts";
import { type ActionStep, listSteps } from "#lib/schema/action/steps.ts";
import { checkTransform } from "#lib/threads/transform/run-transform.ts";
import { webThreads } from "./web-threads.ts";

/** Throws `template_invalid`, with line and column, for a transform that can't be loaded. */
export async function requireTransforms(
  accountId: string,
  steps: readonly ActionStep[] | undefined,
): Promise<void> {
  for (const { step, path } of listSteps(steps ?? [])) {
    if (step.kind !== "transform") continue;
    const checked = await checkTransform(webThreads(), step.code, { accountId });
    if (checked.ok) continue;
    const { message, line, column } = checked;
    const place = line === null || column === null ? {} : { line, column };
    const at = ["steps", ...path, "code"].join(".");
    const error = { path: at, code: "invalid_template" as const, message, ...place };
    throw new AppError("template_invalid", `${at}: ${message}`, { errors: [error] });
  }
}
