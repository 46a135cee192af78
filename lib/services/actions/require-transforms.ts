import { AppError } from "#lib/base/errors.ts";
import { type ActionStep, listSteps } from "#lib/schema/act/steps.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { checkTransform } from "#lib/threads/transform/run-transform.ts";

/**
 * Throws `template_invalid`, with line and column, for a transform that can't be loaded, or
 * `rate_limited` if no thread was free to load it.
 */
export async function requireTransforms(
  accountId: string,
  steps: readonly ActionStep[] | undefined,
): Promise<void> {
  for (const { step, path } of listSteps(steps ?? [])) {
    if (step.kind !== "transform") continue;
    const checked = await checkTransform(webThreads(), step.code, { accountId });
    if (checked.ok) continue;
    if (checked.code === "too_busy") throw busyServer();
    const { message, line, column } = checked;
    const place = line === null || column === null ? {} : { line, column };
    const at = ["steps", ...path, "code"].join(".");
    const error = { path: at, code: "invalid_template" as const, message, ...place };
    throw new AppError("template_invalid", `${at}: ${message}`, { errors: [error] });
  }
}
