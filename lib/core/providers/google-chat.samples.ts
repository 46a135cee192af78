import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.google.com/workspace/chat/receive-respond-interactions */
export const googleChatSamples: SampleEvents = [
  { type: "MESSAGE", make: (fresh) => message(fresh, fresh.iso) },
];

function message(fresh: Fresh, eventTime: string): SampleContent {
  const space = { name: "spaces/AAAAexample", displayName: "Orders", type: "ROOM" };
  const user = { name: "users/123456789", displayName: "Jenny Rosen", type: "HUMAN" };
  return {
    json: {
      type: "MESSAGE",
      eventTime,
      space,
      message: { name: `spaces/AAAAexample/messages/${fresh.text(11)}`, sender: user, text: "hi" },
      user,
    },
  };
}
