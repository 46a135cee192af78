import { connect, readServerUrl } from "../account/connect.ts";
import { openBrowser } from "../account/open-browser.ts";
import { readProfiles, writeProfiles } from "../account/profiles.ts";
import { makeFetch } from "../account/proxy-fetch.ts";
import { revoke, signIn } from "../account/sign-in.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";
import { invocation } from "../frame/invocation.ts";
import { plain, wantsJson, writeFields, writeRows } from "../frame/write.ts";

/** The scopes of its commands. The page where a person allows them names each. */
const scopes =
  "hooks:read hooks:write deliveries:read deliveries:write events:read events:write subscriptions:read account:read";

const configurationScopes = "configuration:read configuration:write";

export async function runLogin(input: CommandInput): Promise<ExitCode> {
  const { env, output, signal, operands, isInteractive } = input;
  const { current, profiles } = readProfiles(env);
  const known = current === null ? undefined : profiles[current]?.url;
  const url = operands[0] === undefined ? known : readServerUrl(operands[0]);
  if (url === undefined)
    throw new Exit(
      "usage",
      `Name your server, such as: ${invocation} login https://hooks.example.com`,
    );
  const fetch = makeFetch(env);
  const scope = chooseScopes(input);
  const profile = await signIn({
    ...{ url, fetch, signal, scope },
    onCode: (page, code) => {
      output.note(`Open ${plain(page)}`);
      output.note(`and compare this code: ${plain(code)}`);
      if (isInteractive) openBrowser(page);
    },
  });
  const name = textValue(input, "profile") ?? profile.account.slug;
  writeProfiles(env, { current: name, profiles: { ...profiles, [name]: profile } });
  const { account, expiresAt } = profile;
  const until = expiresAt.slice(0, 10);
  output.note(`Signed in to ${plain(account.name)} (${plain(account.slug)}) until ${until}.`);
  if (wantsJson(input)) output.result(JSON.stringify({ profile: name, url, account, expiresAt }));
  return exitCodes.done;
}

/** Undefined: what only reads. */
function chooseScopes({ values }: CommandInput): string | undefined {
  if (values["read-only"] === true) return undefined;
  return values.configuration === true ? `${scopes} ${configurationScopes}` : scopes;
}

export async function runLogout(input: CommandInput): Promise<ExitCode> {
  const { env, output, signal } = input;
  const { current, profiles } = readProfiles(env);
  const name = textValue(input, "profile") ?? current;
  const profile = name === null ? undefined : profiles[name];
  if (name === null || profile === undefined) throw new Exit("notFound", "You aren't signed in.");
  // Forgotten on the server first: what this machine forgets can't be revoked any more.
  await revoke(profile, makeFetch(env), signal);
  const { [name]: _, ...others } = profiles;
  writeProfiles(env, { current: Object.keys(others)[0] ?? null, profiles: others });
  output.note(`Signed out of ${plain(profile.account.name)}. Its token no longer works.`);
  return exitCodes.done;
}

export async function runWhoami(input: CommandInput): Promise<ExitCode> {
  const { url, client } = connect(input);
  const [account] = (await client.listAccounts()).data;
  if (account === undefined) throw new Exit("notFound", "This token belongs to no account.");
  writeFields(input, { url, account }, [
    ["Server", url],
    ["Account", `${account.name} (${account.slug})`],
  ]);
  return exitCodes.done;
}

export async function runProfiles(input: CommandInput): Promise<ExitCode> {
  const { current, profiles } = readProfiles(input.env);
  const [chosen] = input.operands;
  if (chosen !== undefined) {
    if (profiles[chosen] === undefined)
      throw new Exit(
        "notFound",
        `There is no profile ${chosen}. List them: ${invocation} profiles`,
      );
    writeProfiles(input.env, { current: chosen, profiles });
    input.output.note(`Commands use ${chosen} now.`);
    return exitCodes.done;
  }
  writeRows(
    input,
    // Not their tokens.
    Object.entries(profiles).map(([name, { url, account, expiresAt = null }]) => {
      return { name, isCurrent: name === current, url, account, expiresAt };
    }),
    {
      "": ({ isCurrent }) => (isCurrent ? "*" : " "),
      name: ({ name }) => name,
      server: ({ url }) => url,
      account: ({ account }) => account.name,
    },
    `You aren't signed in. Run: ${invocation} login https://your-server`,
  );
  return exitCodes.done;
}
