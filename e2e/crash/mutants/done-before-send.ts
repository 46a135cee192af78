import { replaceModule } from "./replace-module.ts";

/** Tells the worker that the receiver responded with 200, and makes the call a moment later. */
replaceModule(
  "/lib/worker/execute/execute-run.ts",
  `
  import { executeRun as genuine } from "./execute-run.ts?genuine";
  export function executeRun(input, options) {
    const call = (request, callOptions) => {
      setTimeout(() => void options.client.call(request, callOptions), 100);
      const response = { status: 200, headers: [], body: new Uint8Array(), truncated: false };
      return Promise.resolve({ ok: true, response, durationMs: 1 });
    };
    return genuine(input, { ...options, client: { ...options.client, call } });
  }`,
);
