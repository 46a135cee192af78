import { type Claims, isObject, isTrue, readClaim } from "./claims.ts";

type Groups = {
  /** The issuer's names of them. */
  readonly names: readonly string[];
  /** `missing`: no such claim came. `overage`: there were too many for a token, so the issuer left them out. */
  readonly state: "read" | "missing" | "overage";
};

/**
 * The groups of a person in each form that issuers send: a list of names, a list of objects with a name (Casdoor), an
 * object whose keys are roles (Zitadel) or that has a list of them (Keycloak), or one text.
 *
 * @param isKnown whether a group has a role: such a name isn't taken apart
 */
export function readGroups(
  claims: Claims,
  name: string,
  isKnown: (group: string) => boolean,
): Groups {
  const value = readClaim(claims, name);
  const names = listNames(value, isKnown);
  if (names.length > 0) return { names, state: "read" };
  if (isOverage(claims, name)) return { names, state: "overage" };
  return { names, state: value === undefined || value === null ? "missing" : "read" };
}

function listNames(value: unknown, isKnown: (group: string) => boolean): readonly string[] {
  if (typeof value === "string") return splitText(value.trim(), isKnown);
  if (Array.isArray(value)) return value.flatMap(nameOf);
  if (!isObject(value)) return [];
  if (Object.hasOwn(value, "roles") && !isObject(value.roles) && typeof value.roles !== "boolean")
    return listNames(value.roles, isKnown);
  return Object.keys(value).filter((role) => isGranted(value[role]));
}

function nameOf(group: unknown): readonly string[] {
  if (typeof group === "string") return [group];
  return isObject(group) && typeof group.name === "string" ? [group.name] : [];
}

/** True, or the organizations that grant it, by their ids. */
function isGranted(value: unknown): boolean {
  if (!isObject(value)) return isTrue(value);
  const organizations = Object.values(value);
  return organizations.length > 0 && organizations.every((name) => typeof name === "string");
}

/**
 * One text is one group, or a list in JSON, in brackets (Cognito), or with line breaks, semicolons, or commas. Spaces
 * don't separate: names have them. A distinguished name of a directory has commas itself.
 */
function splitText(text: string, isKnown: (group: string) => boolean): readonly string[] {
  if (text === "") return [];
  if (isKnown(text)) return [text];
  const list = parseList(text);
  if (list !== null) return list.flatMap(nameOf);
  const inner = /^\[(.*)\]$/s.exec(text)?.[1] ?? text;
  const separator = ["\n", ";", ","].find((each) => inner.includes(each));
  if (separator === undefined || (separator === "," && isDistinguishedName(inner))) return [inner];
  return inner
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function parseList(text: string): readonly unknown[] | null {
  if (!text.startsWith("[")) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    // Cognito's lists have no quotes.
    return null;
  }
}

/** RFC 4514: `CN=Hook admins,OU=Groups,DC=example,DC=com`. */
function isDistinguishedName(text: string): boolean {
  return /^(cn|ou|dc|uid|o|l|st|c|street)\s*=/i.test(text);
}

/**
 * Entra ID names the claim in `_claim_names` (OpenID Connect Core §5.6.2), or sends `hasgroups`, if a person has more
 * than about 200 groups.
 */
function isOverage({ _claim_names: elsewhere, hasgroups }: Claims, name: string): boolean {
  if (isTrue(hasgroups) && name === "groups") return true;
  return isObject(elsewhere) && Object.hasOwn(elsewhere, name);
}
