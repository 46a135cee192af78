export const itemCount = 20;

/** The steps that call, in order. `note` publishes between the last two. */
export const callSteps = ["find", "create", "each", "tell"] as const;
export type CallStep = (typeof callSteps)[number];

/**
 * The five steps. Each call names its place in the URL, and the response of the first step that it
 * was given.
 */
export function makeFiveSteps(receiver: string): readonly object[] {
  const call = (key: string, method: string, more: object = {}, path = key) => ({
    key,
    kind: "call",
    // Only a kill may make a call fail, however busy the machine is.
    timeoutMs: 60_000,
    request: {
      method,
      url: `${receiver}/{{ id }}/${path}`,
      query: key === "find" ? {} : { seen: "{{ steps.find.body.result }}" },
    },
    ...more,
  });
  return [
    call("find", "GET"),
    call("create", "POST", { onUnknown: "ask" }),
    call(
      "each",
      "PUT",
      { forEach: { path: "steps.find.body.items", parallel: 4 } },
      "each/{{ index }}",
    ),
    { key: "note", kind: "publish", type: "order.done", data: { order: "{{ id }}" } },
    call("tell", "POST"),
  ];
}

/** The paths that the receiver must see for an event, as often as it takes. */
export function pathsOf(eventId: string, step: CallStep): readonly string[] {
  if (step !== "each") return [`/${eventId}/${step}`];
  return Array.from({ length: itemCount }, (_, at) => `/${eventId}/each/${at}`);
}

/** The only idempotency key that a place may have. */
export function keyOf(runId: string, place: string): string {
  const [, , step = "", item] = place.split("/");
  return item === undefined ? `${runId}-${step}` : `${runId}-${step}-${item}`;
}
