import type { SampleEvents } from "./shapes/sample-event.ts";

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
