import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/**
 * https://developers.weixin.qq.com/doc/subscription/guide/product/message/Receiving_standard_messages.html,
 * Receiving_event_pushes.html beside it
 */
export const wechatSamples: SampleEvents = [
  {
    type: "text",
    make: (fresh) => text(fresh, user(fresh)),
  },
  { type: "subscribe", make: (fresh) => event(fresh, user(fresh), "subscribe", "") },
  { type: "CLICK", make: (fresh) => event(fresh, user(fresh), "CLICK", "MENU_TODAY") },
];

const user = (fresh: Fresh) => `o${fresh.text(27)}`;

function text(fresh: Fresh, from: string): SampleContent {
  return wrap(
    fresh,
    from,
    "text",
    `<Content><![CDATA[this is a test]]></Content>
  <MsgId>23456789${fresh.digits(9)}</MsgId>`,
  );
}

function event(fresh: Fresh, from: string, type: string, key: string): SampleContent {
  return wrap(
    fresh,
    from,
    "event",
    `<Event><![CDATA[${type}]]></Event>
  <EventKey><![CDATA[${key}]]></EventKey>`,
  );
}

function wrap(fresh: Fresh, from: string, type: string, rest: string): SampleContent {
  return {
    xml: `<xml>
  <ToUserName><![CDATA[gh_97417a04a28d]]></ToUserName>
  <FromUserName><![CDATA[${from}]]></FromUserName>
  <CreateTime>${fresh.seconds}</CreateTime>
  <MsgType><![CDATA[${type}]]></MsgType>
  ${rest}
</xml>`,
  };
}
