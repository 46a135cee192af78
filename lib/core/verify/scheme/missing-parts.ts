/** The parts that a hook still needs before anything can be verified. */
import { findSettingProblem, type ProviderSetting, type Settings } from "./code-scheme.ts";
import type { Scheme } from "./scheme.ts";

export type MissingPart =
  | { readonly part: "secret" }
  | { readonly part: "setting"; readonly setting: ProviderSetting };

/** Null if complete. The secret comes first, because most providers need nothing else. */
export function findMissingPart(
  scheme: Scheme,
  hasSecret: boolean,
  settings: Settings,
): MissingPart | null {
  if (takesSecret(scheme) && !hasSecret) return { part: "secret" };
  if (scheme.kind !== "code") return null;
  const problem = findSettingProblem(scheme.settings, settings);
  return problem === null ? null : { part: "setting", setting: problem.setting };
}

/** False for providers that publish their keys. */
export function takesSecret(scheme: Scheme): boolean {
  return scheme.kind !== "code" || scheme.takesSecret;
}
