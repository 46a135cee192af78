import { parseAddress } from "#lib/core/sending/address/classify-address.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";
import { displayName } from "#lib/schema/field/common.ts";
import { defineGroup, readBy, setting, type Values } from "./setting.ts";

/** The operator's mail server, from `SMTP_URL` and `CATCHMENT_MAIL_FROM`. */
export type MailEnv = {
  readonly host: string;
  readonly port: number;
  /**
   * `tls`: from the first byte. `starttls`: required before anything is sent. `none`: only if the
   * URL says so, or to this machine.
   */
  readonly security: "tls" | "starttls" | "none";
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: { readonly name: string; readonly email: string };
};

type MailServer = Omit<MailEnv, "from">;

export const mailSettings = defineGroup({
  roles: ["worker", "web"],
  settings: {
    server: setting(
      "SMTP_URL",
      readBy(readMailServer).optional(),
      "the mail server for password resets, invitations, and alerts: " +
        "`smtp://user:password@mail.example.com:587` requires STARTTLS, `smtps://` uses TLS " +
        "from the start. See [Email](operations.md#email)",
      { unset: "none, and no email is sent", isSecret: true },
    ),
    from: setting(
      "CATCHMENT_MAIL_FROM",
      readBy(readFrom).optional(),
      "the sender of every email: `Catchment <catchment@example.com>`; required with `SMTP_URL`",
    ),
  },
  // A server without a sender would silently send nothing.
  check: ({ server, from }) => ({
    from: server !== undefined && from === undefined && "must be set, because SMTP_URL is",
    server:
      server === undefined && from !== undefined && "must be set, because CATCHMENT_MAIL_FROM is",
  }),
});

/** Undefined: Catchment sends no email. */
export function toMailEnv({
  server,
  from,
}: Values<typeof mailSettings.settings>): MailEnv | undefined {
  return server === undefined || from === undefined ? undefined : { ...server, from };
}

const example = "like smtp://user:password@mail.example.com:587";

/** A sentence about what is wrong, without the password. */
function readMailServer(text: string): MailServer | string {
  const url = URL.parse(text);
  const isImplicit = url?.protocol === "smtps:";
  if (url === null || url.hostname === "" || !(isImplicit || url.protocol === "smtp:"))
    return `must be an smtp: or smtps: URL, ${example}`;
  if (!["", "/"].includes(url.pathname) || url.hash !== "")
    return `must have no path, ${example}; write special characters of the password as %XX`;
  const tls = readTls(url.searchParams);
  if (tls === null || (isImplicit && tls === "off"))
    return "takes only the parameter ?tls=required or ?tls=off, and smtps: always uses TLS";
  const login = readLogin(url);
  if (login === "damaged") return "must write special characters of the password as %XX";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isPlain = tls === "off" || (tls === undefined && isThisMachine(host));
  return {
    host,
    port: url.port === "" ? (isImplicit ? 465 : 587) : Number(url.port),
    security: isImplicit ? "tls" : isPlain ? "none" : "starttls",
    login,
  };
}

/** Undefined: the default for the host. Null: invalid. */
function readTls(parameters: URLSearchParams): "required" | "off" | undefined | null {
  const [first, ...others] = [...parameters];
  if (first === undefined) return undefined;
  const [name, value] = first;
  const isKnown = name === "tls" && (value === "required" || value === "off");
  return isKnown && others.length === 0 ? value : null;
}

function readLogin({ username, password }: URL): MailEnv["login"] | "damaged" {
  if (username === "" && password === "") return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    // decodeURIComponent throws for a bare percent sign.
    return "damaged";
  }
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || parseAddress(host)?.range() === "loopback";
}

/** `Name <address>` or an address alone. */
function readFrom(text: string): MailEnv["from"] | string {
  const [, name = "", inside] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const email = emailSchema.safeParse(inside ?? text);
  const shown = displayName.safeParse(name.trim().replace(/^"(.*)"$/, "$1") || "Catchment");
  if (email.success && shown.success) return { name: shown.data, email: email.data };
  return "must be an email address, like Catchment <catchment@example.com>";
}
