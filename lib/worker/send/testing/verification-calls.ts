import { createHmac, randomBytes } from "node:crypto";
import table from "./verification-calls.json" with { type: "json" };

/** A call as a receiver gets it. Null: the header is missing. */
export type SampleCall = {
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
  readonly body: Uint8Array;
  readonly secret: string;
};

type Row = {
  readonly name: string;
  readonly accepted: boolean;
  readonly id?: string | null;
  readonly timestamp?: string | null;
  readonly signature?: string | null;
  /** The body in base64. */
  readonly body?: string;
  /** The values that are changed after signing. */
  readonly sent?: { readonly id?: string; readonly body?: string };
};

const key = randomBytes(32);
const usualBody = Buffer.from('{"id":"evt_1","data":{"name":"Jürgen"}}').toString("base64");

/** The calls that every documented sample has to treat alike, signed for this moment. */
export function listVerificationCalls(): readonly {
  readonly name: string;
  readonly accepted: boolean;
  readonly call: SampleCall;
}[] {
  const now = Math.floor(Date.now() / 1_000);
  return table.map((row: Row) => {
    const { name, accepted, id = "evt_1", body = usualBody, sent } = row;
    const timestamp = fill(row.timestamp === undefined ? "{now}" : row.timestamp, {
      now: String(now),
      nowInHex: now.toString(16),
      "now-290": String(now - 290),
      "now+290": String(now + 290),
      "now-320": String(now - 320),
      "now+320": String(now + 320),
      "5000 digits": "1".repeat(5_000),
    });
    const sign = (by: Buffer) =>
      createHmac("sha256", by)
        .update(`${id ?? ""}.${timestamp ?? ""}.`)
        .update(Buffer.from(body, "base64"))
        .digest("base64");
    const signature = fill(row.signature === undefined ? "{right}" : row.signature, {
      right: `v1,${sign(key)}`,
      base64: sign(key),
      other: `v1,${sign(randomBytes(32))}`,
      ed25519: randomBytes(64).toString("base64"),
    });
    return {
      name,
      accepted,
      call: {
        id: sent?.id ?? id,
        timestamp,
        signature,
        body: Buffer.from(sent?.body ?? body, "base64"),
        secret: `whsec_${key.toString("base64")}`,
      },
    };
  });
}

function fill(text: string | null, values: Readonly<Record<string, string>>): string | null {
  return text?.replace(/\{([^}]+)\}/g, (_place, name: string) => values[name] ?? "") ?? null;
}
