import { createHmac } from "node:crypto";
import { check } from "#e2e/crash/say-verdicts.ts";
import { startPlace } from "../parts/place.ts";

const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";

/** (i) Slack gets what a program on localhost responds, also to the verification of its URL. */
export async function proveSlack({ folder }: { readonly folder: string }): Promise<void> {
  const place = await startPlace({ folder });
  try {
    const { target } = place;
    const { catchUrl } = await place.makeHook({ name: "Slack", provider: "slack", signingSecret });
    const command = place.listen(["Slack", "--answer"]);
    await command.until("ready");
    target.respond = ({ bytes }) => {
      const { challenge, event } = JSON.parse(bytes.toString());
      return challenge ?? `localhost saw ${event?.type}`;
    };
    const verification = { type: "url_verification", token: "t", challenge: "3eZbrw1aBm2rZgRNFd" };
    const verified = await send(catchUrl, verification);
    check(verified.text === verification.challenge, `the challenge came back: ${verified.text}`);
    check(verified.from === "localhost", `${verified.from ?? "not localhost"} sent it`);
    const called = (id: string) =>
      send(catchUrl, { type: "event_callback", event_id: id, event: { type: "app_mention" } });
    const told = await called("Ev1");
    check(told.text === "localhost saw app_mention", `an event gets its response: ${told.text}`);
    target.status = 500;
    check((await called("Ev2")).status === 500, "a program that fails: Slack gets 500");
    target.status = 200;
    const again = await called("Ev2");
    check(
      again.text === "localhost saw app_mention",
      "Slack sends it again, and the program has it",
    );

    const second = place.listen(["Slack", "--answer", "--name", "second"]);
    check((await second.ended) === 18, `a second one is told: ${second.errors().trim()}`);
    command.process.kill("SIGINT");
    check((await command.ended) === 0, "it ends with 0");
    const own = await send(catchUrl, verification);
    check(own.text === verification.challenge && own.from === null, "then we respond ourselves");
  } finally {
    await place.stop();
  }
}

async function send(catchUrl: string, event: object) {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signed = createHmac("sha256", signingSecret).update(`v0:${timestamp}:${body}`);
  const response = await fetch(catchUrl, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${signed.digest("hex")}`,
    },
  });
  const { status, headers } = response;
  return { status, text: await response.text(), from: headers.get("x-from") };
}
