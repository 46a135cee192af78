import { createHash, createHmac } from "node:crypto";
import type { ReceivedCall } from "../../testing/receiver.ts";

export const accessKeyId = "AKIAIOSFODNN7EXAMPLE";
export const secretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Recomputes the signature from what arrived, as the documentation of Signature Version 4 says. */
export function isSigned({ method, path, headers, body }: ReceivedCall): boolean {
  const given = (headers.authorization ?? "").split(", ").map((part) => part.split("="));
  const parts = new Map(given.map(([name, value]) => [name, value]));
  const [credential = "", names = "", signature] = [
    "AWS4-HMAC-SHA256 Credential",
    "SignedHeaders",
    "Signature",
  ].map((name) => parts.get(name));
  const [id, day = "", region = "", service = "", end] = credential.split("/");
  const date = String(headers["x-amz-date"]);
  const isNow = date.startsWith(day) && headers["x-amz-content-sha256"] === sha256(body);
  const lines = names.split(";").map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, path, "", lines.join(""), names, sha256(body)].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = [region, service, "aws4_request"].reduce<Buffer>(
    hmac,
    hmac(`AWS4${secretAccessKey}`, day),
  );
  const isOurs = id === accessKeyId && end === "aws4_request" && names.split(";").includes("host");
  return isNow && isOurs && hmac(key, toSign).toString("hex") === signature;
}
