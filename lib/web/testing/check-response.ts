import { Ajv2020 } from "ajv/dist/2020.js";
import { buildOpenApi } from "#lib/web/rest/openapi.ts";
import { findPath } from "#lib/web/rest/route/find-route.ts";
import { routes } from "#lib/web/rest/routes.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: "document", ...buildOpenApi("https://hooks.example.test") });

type Response = { readonly status: number; readonly body: unknown };

/** Throws if a successful response isn't what the OpenAPI document says. */
export function checkResponse(method: string, path: string, { status, body }: Response): void {
  const route = findPath(routes, path)?.routes.find((each) => each.method === method);
  if (route === undefined || route.response === null || status !== route.status) return;
  const steps = ["paths", route.path, method.toLowerCase(), "responses", String(status)];
  const pointer = [...steps, "content", "application/json", "schema"].map(toPointer).join("/");
  const validate = ajv.getSchema(`document#/${pointer}`);
  if (validate === undefined) throw new Error(`The document has no schema at ${pointer}`);
  if (validate(body)) return;
  const errors = ajv.errorsText(validate.errors, { dataVar: "response" });
  throw new Error(`${method} ${route.path} isn't as documented: ${errors}`);
}

function toPointer(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
