import type { Consecutive } from "./shapes/sample-event.ts";

/** https://developers.figma.com/docs/rest-api/webhooks-events/ */
export const figmaConsecutive: Consecutive = () => {
  const event = (type: string, fields: object, retries = 0) => ({
    json: {
      webhook_id: "1",
      event_type: type,
      file_key: "f",
      timestamp: "2026-01-02T10:00:00Z",
      retries,
      ...fields,
    },
  });
  const status = (node: string, retries = 0) =>
    event("DEV_MODE_STATUS_UPDATE", { node_id: node, status: "READY_FOR_DEV" }, retries);
  const publish = (components: object[], styles: object[], retries = 0) =>
    event("LIBRARY_PUBLISH", { created_components: components, created_styles: styles }, retries);
  const asset = { key: "k", name: "n" };
  return {
    two: [event("FILE_COMMENT", { comment_id: "1" }), event("FILE_COMMENT", { comment_id: "2" })],
    again: event("FILE_COMMENT", { comment_id: "1" }, 1),
    more: [
      { two: [status("1:1"), status("1:2")], again: status("1:1", 2) },
      { two: [publish([asset], []), publish([], [asset])], again: publish([asset], [], 1) },
    ],
  };
};
