import { type OpenTracer, openTracer, type TracerOptions } from "./open-tracer.ts";
import { traceIntake } from "./trace-intake.ts";
import { traceRuns } from "./trace-runs.ts";

/** Traces what the role of this process does. */
export function startTraces(
  options: TracerOptions & { readonly role: "catch" | "worker" },
): Pick<OpenTracer, "close"> {
  const tracer = openTracer(options);
  if (options.role === "catch") traceIntake(tracer);
  else traceRuns(tracer);
  return tracer;
}
