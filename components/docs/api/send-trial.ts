import type { CallTrial } from "#lib/schema/shown-call.ts";

export type TrialResponse = {
  readonly status: number;
  readonly milliseconds: number;
  readonly text: string;
  /** True if the end isn't shown. */
  readonly isCut: boolean;
};

/** The typed values by the name of the parameter. */
export type TrialValues = Readonly<Record<string, string>>;

const maxChars = 100_000;

/** The address of a call. Parameters that were left empty aren't sent. */
export function trialUrl({ path, parameters }: CallTrial, values: TrialValues): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  const given = parameters
    .filter((each) => each.in === "query" && (values[each.name] ?? "") !== "")
    .map(({ name }) => [name, values[name] ?? ""]);
  const query = new URLSearchParams(given);
  return `/api/v1${filled}${query.size === 0 ? "" : `?${query}`}`;
}

/** Makes the call with the token alone: a session isn't sent. */
export async function sendTrial(
  trial: CallTrial,
  { token, values, body }: { token: string; values: TrialValues; body: string },
): Promise<TrialResponse> {
  const start = performance.now();
  const hasBody = trial.body !== null && body.trim() !== "";
  const response = await fetch(trialUrl(trial, values), {
    method: trial.method,
    headers: {
      authorization: `Bearer ${token.trim()}`,
      ...(hasBody ? { "content-type": "application/json" } : {}),
    },
    ...(hasBody ? { body } : {}),
    credentials: "omit",
    cache: "no-store",
    redirect: "manual",
  });
  const { text, isCut } = await readStart(response);
  const milliseconds = Math.round(performance.now() - start);
  return { status: response.status, milliseconds, text, isCut };
}

/** An export can have a million rows. */
async function readStart({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return { text, isCut: false };
    text += part.value;
    if (text.length <= maxChars) continue;
    await reader?.cancel();
    return { text: text.slice(0, maxChars), isCut: true };
  }
}
