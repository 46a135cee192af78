import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.zoom.us/docs/api/meetings/events/ */
export const zoomSamples: SampleEvents = [
  {
    type: "meeting.started",
    make: (fresh) => ({
      json: {
        event: "meeting.started",
        event_ts: fresh.nowMs,
        payload: {
          account_id: fresh.text(22),
          object: {
            id: String(fresh.digits(11)),
            uuid: `${fresh.text(22)}==`,
            host_id: fresh.text(22),
            topic: "Weekly review",
            type: 8,
            start_time: fresh.isoSeconds,
            timezone: "America/Los_Angeles",
            duration: 30,
          },
        },
      },
    }),
  },
];

/** Two events about the same object. */
export const zoomConsecutive: Consecutive = (fresh) => {
  const common = { event: "meeting.started", payload: { object: { id: "1" } } };
  return {
    two: [
      { json: { ...common, event_ts: fresh.nowMs } },
      { json: { ...common, event_ts: fresh.nowMs + 1 } },
    ],
  };
};
