import { createHmac, randomBytes } from "node:crypto";
import type { SampleCall } from "./verification-calls.ts";

const key = randomBytes(32);
const body = Buffer.from('{"id":"evt_1","data":{"name":"Jürgen"}}');

function sign(timestamp: string, by: Buffer = key, signed: Uint8Array = body): string {
  const mac = createHmac("sha256", by).update(`${timestamp}.`).update(signed);
  return `v1=${mac.digest("hex")}`;
}

/** Calls with a header `t=…,v1=…` that every documented sample has to treat alike, signed for this moment. */
export function listTimedCalls(): readonly {
  readonly name: string;
  readonly accepted: boolean;
  readonly call: SampleCall;
}[] {
  const now = Math.floor(Date.now() / 1_000);
  const at = String(now);
  const other = sign(at, randomBytes(32));
  const right = sign(at);
  const by = (timestamp: string) => `t=${timestamp},${sign(timestamp)}`;
  const binary = Buffer.from([0xff, 0, 0xfe, 0x80]);
  const accepted: readonly [string, string, Uint8Array?][] = [
    ["one right signature", `t=${at},${right}`],
    ["the second of two is right", `t=${at},${other},${right}`],
    ["the first of two is right", `t=${at},${right},${other}`],
    ["a short signature first", `t=${at},v1=00,${right}`],
    ["an empty signature first", `t=${at},v1=,${right}`],
    ["nothing first", `t=${at},,${right}`],
    ["letters beyond ASCII first", `t=${at},v1=é☃,${right}`],
    ["another version first", `t=${at},v2=abc,${right}`],
    ["a body that isn't UTF-8", `t=${at},${sign(at, key, binary)}`, binary],
    ["290 s old", by(String(now - 290))],
    ["290 s in the future", by(String(now + 290))],
  ];
  const rejected: readonly [string, string | null, Uint8Array?][] = [
    ["320 s old", by(String(now - 320))],
    ["320 s in the future", by(String(now + 320))],
    ["another body", `t=${at},${right}`, Buffer.from("{}")],
    ["another time", `t=${now - 1},${right}`],
    ["another secret's signature", `t=${at},${other}`],
    ["the right hash as another version", `t=${at},${right.replace("v1", "v2")}`],
    ["no header", null],
    ["an empty header", ""],
    ["no signature", `t=${at}`],
    ["an empty signature", `t=${at},`],
    ["no time", right],
    ["an empty time", `t=,${sign("")}`],
    ["the time at the end", `${right},t=${at}`],
    ["a word as time", by("now")],
    ["a fraction as time", by(`${now}.5`)],
    ["a hexadecimal time", by(`0x${now.toString(16)}`)],
    ["a time of 20 digits", by("9".repeat(20))],
    ["a time of 5,000 digits", by("1".repeat(5_000))],
  ];
  const toCalls = (rows: readonly [string, string | null, Uint8Array?][], isRight: boolean) =>
    rows.map(([name, signature, sent = body]) => ({
      name,
      accepted: isRight,
      call: {
        id: null,
        timestamp: null,
        signature,
        body: sent,
        secret: `whsec_${key.toString("base64")}`,
      },
    }));
  return [...toCalls(accepted, true), ...toCalls(rejected, false)];
}
