import type { ShownSample } from "#lib/schema/shown-call.ts";

/** A call with the values of its examples. */
export type SampleCall = {
  readonly method: string;
  /** With its values: `/hooks/01a2…?limit=10`. */
  readonly url: string;
  readonly body: unknown;
  readonly operationId: string;
  /** The fields of the path, the query, and the body together. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The origin of the installation. */
  readonly origin: string;
  readonly returns: "value" | "list" | "rows" | "events" | "nothing";
};

/** The same call in each language. The token is in `CATCHMENT_TOKEN`. */
export function writeSamples(call: SampleCall): readonly ShownSample[] {
  return [
    { language: "curl", code: writeCurl(call) },
    // The client has no method for a stream that never ends.
    { language: "client", code: call.returns === "events" ? writeNode(call) : writeClient(call) },
    { language: "node", code: writeNode(call) },
    { language: "python", code: writePython(call) },
    { language: "go", code: writeGo(call) },
  ];
}

function writeCurl({ method, url, body, returns }: SampleCall): string {
  return [
    `curl -s${returns === "events" || returns === "rows" ? "N" : ""} "${url}"`,
    ...(method === (body === undefined ? "GET" : "POST") ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $CATCHMENT_TOKEN"',
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${json(body).replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
}

function writeClient({ operationId, input, origin, returns }: SampleCall): string {
  const given = Object.keys(input).length === 0 ? "" : literal(input);
  const call = `catchment.${operationId}(${given})`;
  return [
    'import { createClient } from "@catchment/client";',
    "",
    "const catchment = createClient({",
    `  url: "${origin}",`,
    '  token: process.env.CATCHMENT_TOKEN ?? "",',
    "});",
    "",
    ...(returns === "list" || returns === "rows"
      ? [`for await (const item of ${call}) {`, "  console.log(item);", "}"]
      : returns === "nothing"
        ? [`await ${call};`]
        : [`const result = await ${call};`, "console.log(result);"]),
  ].join("\n");
}

/** An object as TypeScript writes it, with names without quotes. */
function literal(value: unknown): string {
  return json(value).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

function writeNode({ method, url, body, returns }: SampleCall): string {
  return [
    `const response = await fetch("${url}", {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    "  headers: {",
    '    authorization: "Bearer " + process.env.CATCHMENT_TOKEN,',
    ...(body === undefined ? [] : ['    "content-type": "application/json",']),
    "  },",
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(literal(body), "  ")}),`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    ...nodeEnd[returns],
  ].join("\n");
}

const streamed = [
  "const text = response.body.pipeThrough(new TextDecoderStream());",
  "for await (const part of text) process.stdout.write(part);",
];
const nodeEnd = {
  nothing: [],
  value: ["console.log(await response.json());"],
  list: ["console.log(await response.json());"],
  rows: streamed,
  events: streamed,
} as const;

function writePython({ method, url, body, returns }: SampleCall): string {
  const isStream = returns === "rows" || returns === "events";
  return [
    "import os",
    "",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    '    headers={"Authorization": f"Bearer {os.environ[\'CATCHMENT_TOKEN\']}"},',
    ...(body === undefined ? [] : [`    json=${indent(toPython(body), "    ")},`]),
    ...(isStream ? ["    stream=True,"] : []),
    ")",
    "response.raise_for_status()",
    ...(isStream
      ? ["for line in response.iter_lines(decode_unicode=True):", "    print(line)"]
      : returns === "nothing"
        ? []
        : ["print(response.json())"]),
  ].join("\n");
}

/** JSON as a literal of Python. */
function toPython(value: unknown, pad = ""): string {
  const inner = `${pad}    `;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => `${inner}${toPython(each, inner)},\n`)
    : Object.entries(value).map(
        ([name, each]) => `${inner}${JSON.stringify(name)}: ${toPython(each, inner)},\n`,
      );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join("")}${pad}${close}`;
}

function writeGo({ method, url, body }: SampleCall): string {
  const text = body === undefined ? "" : json(body);
  const quoted = text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
  const imports = ["io", "log", "net/http", "os", ...(body === undefined ? [] : ["strings"])];
  return [
    "package main",
    "",
    "import (",
    ...imports.map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(${quoted})`]),
    `\trequest, err := http.NewRequest("${method}", "${url}", ${body === undefined ? "nil" : "body"})`,
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("CATCHMENT_TOKEN"))',
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    "\tresponse, err := http.DefaultClient.Do(request)",
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    "\tdefer response.Body.Close()",
    "\tio.Copy(os.Stdout, response.Body)",
    "}",
  ].join("\n");
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function indent(text: string, pad: string): string {
  return text.replaceAll("\n", `\n${pad}`);
}
