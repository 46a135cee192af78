import { createClient } from "../../../clients/typescript/src/client.ts";
import type { Client, ClientOptions } from "../../../clients/typescript/src/index.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit } from "../frame/exit.ts";
import { invocation } from "../frame/invocation.ts";
import { type Profile, readProfiles } from "./profiles.ts";
import { type Fetch, makeFetch } from "./proxy-fetch.ts";

/** The account that a command works in. */
export type Connection = {
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  readonly fetch: Fetch;
};

/** Connects with `CATCHMENT_URL` and `CATCHMENT_TOKEN`, or else with the profile. */
export function connect(
  input: CommandInput,
  options: Pick<ClientOptions, "maxRetries" | "timeoutMs"> = {},
): Connection {
  const { url, token } = readAccess(input);
  const fetch = makeFetch(input.env);
  return { url, token, fetch, client: createClient({ url, token, fetch, ...options }) };
}

/** Connects with a profile, whatever the environment has. */
export function connectAs(
  { env }: CommandInput,
  name: string,
  options: Pick<ClientOptions, "timeoutMs"> = {},
): Connection {
  const { url, token } = findProfile(env, name);
  const fetch = makeFetch(env);
  return { url, token, fetch, client: createClient({ url, token, fetch, ...options }) };
}

function readAccess(input: CommandInput): Pick<Profile, "url" | "token"> {
  const { CATCHMENT_URL: url, CATCHMENT_TOKEN: token } = input.env;
  if (url && token) return { url: readServerUrl(url), token };
  if (url || token) {
    const missing = url ? "CATCHMENT_TOKEN" : "CATCHMENT_URL";
    throw new Exit("usage", `Set ${missing} as well, or neither to use your sign-in.`);
  }
  const profile = readProfile(input);
  if (profile !== null) return profile;
  throw new Exit(
    "notAllowed",
    `You aren't signed in. Run: ${invocation} login https://your-server`,
  );
}

/** The chosen sign-in. Null: there is none, or the environment has a token. */
export function readProfile(input: CommandInput): Profile | null {
  if (input.env.CATCHMENT_TOKEN) return null;
  const { current } = readProfiles(input.env);
  const name = textValue(input, "profile") ?? input.env.CATCHMENT_PROFILE ?? current;
  return name === null ? null : findProfile(input.env, name);
}

function findProfile(env: CommandInput["env"], name: string): Profile {
  const { profiles } = readProfiles(env);
  const profile = profiles[name];
  if (profile !== undefined) return profile;
  const known = Object.keys(profiles).join(", ") || "none";
  throw new Exit("notFound", `There is no profile ${name}. Profiles: ${known}.`);
}

/** The origin of a server, as a person types it. */
export function readServerUrl(text: string): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text);
  const [, scheme = "http"] = /^(\w+):\/\//.exec(text) ?? [];
  const withScheme = /^https?:\/\//i.test(text) ? text : `${isLocal ? "http" : "https"}://${text}`;
  if (/^https?$/i.test(scheme) && URL.canParse(withScheme)) return new URL(withScheme).origin;
  throw new Exit(
    "usage",
    `${text} isn't the address of a server, such as https://hooks.example.com.`,
  );
}
