import { randomBytes } from "node:crypto";
import { Scram } from "#lib/core/sending/kafka/scram.ts";
import { bytes, string } from "#lib/core/sending/kafka/wire.ts";
import type { SettingsOf } from "#lib/schema/send/receiver-settings.ts";
import { failByCode, unreadable } from "./kafka-failure.ts";
import type { Ask } from "./kafka-link.ts";
import type { BrokerLogin } from "./open-broker.ts";

/** A user name and a password, and how they are shown. */
export type KafkaLogin = BrokerLogin & { readonly mechanism: SettingsOf<"kafka">["mechanism"] };

/**
 * Logs in: https://kafka.apache.org/protocol.html#sasl_handshake. Returns after how many milliseconds to do so again.
 * 0: never.
 */
export async function logIn(ask: Ask, login: KafkaLogin): Promise<number> {
  const mechanism = login.mechanism.toUpperCase();
  const { code, enabled } = await ask({
    name: "saslHandshake",
    body: string(mechanism),
    read: (reader) => ({ code: reader.int16(), enabled: reader.array(reader.string) }),
  });
  if (code === 33)
    throw failByCode(
      code,
      `the broker takes ${enabled.join(", ") || "no login"}, not ${mechanism}`,
    );
  if (code !== 0) throw failByCode(code);
  const say = (text: string) => authenticate(ask, text);
  const lasting = await (login.mechanism === "plain"
    ? say(`\0${login.username}\0${login.password}`)
    : logInWithScram(say, login));
  return lasting.lastsMs * lastingShare;
}

/** Not until the end: a message that is on its way then would be lost. */
const lastingShare = 0.8;

type Say = (text: string) => Promise<{ readonly text: string; readonly lastsMs: number }>;

async function logInWithScram(say: Say, { username, password, mechanism }: KafkaLogin) {
  const hash = mechanism === "scram-sha-256" ? "sha256" : "sha512";
  const nonce = randomBytes(24).toString("base64");
  const scram = new Scram({ username, password, hash, nonce });
  const second = await scram.second((await say(scram.first())).text);
  if (second === null) throw unreadable();
  const last = await say(second);
  // Otherwise it could be anyone.
  if (!scram.isVerified(last.text))
    throw failByCode(58, "the broker didn't show that it knows the password");
  return last;
}

async function authenticate(ask: Ask, text: string) {
  const said = await ask({
    name: "saslAuthenticate",
    body: bytes(Buffer.from(text)),
    read: (reader, version) => ({
      code: reader.int16(),
      message: reader.string(),
      text: reader.bytes().toString(),
      lastsMs: version >= 1 ? Number(reader.int64()) : 0,
    }),
  });
  if (said.code !== 0) throw failByCode(said.code, said.message);
  return said;
}
