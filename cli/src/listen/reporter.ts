import type { Frame, Hook } from "../../../clients/typescript/src/index.ts";
import type { CommandInput } from "../frame/command.ts";
import { Exit } from "../frame/exit.ts";
import { paint, plain, wantsJson } from "../frame/write.ts";
import type { Status } from "./read-events.ts";
import { addPath, type TargetResponse } from "./target.ts";

type About = {
  readonly target: URL;
  readonly name: string;
  /** None: all hooks. */
  readonly hooks: readonly Pick<Hook, "id" | "name">[];
  /** What the target responds is what providers get. */
  readonly replies: boolean;
};

type Handed = { readonly frame: Frame; readonly response: TargetResponse };

/** Says what happens to deliveries: a line for each, or JSON for programs. */
export class Reporter {
  readonly #input: CommandInput;
  readonly #about: About;
  readonly #names: ReadonlyMap<string, string>;
  /** The delivery that was handed over last. */
  last: Handed | null = null;

  constructor(input: CommandInput, about: About) {
    this.#input = input;
    this.#about = about;
    this.#names = new Map(about.hooks.map(({ id, name }) => [id, name]));
  }

  ready({ lag }: Status): void {
    const { target, name, hooks, replies } = this.#about;
    const of = hooks.length === 0 ? "all hooks" : hooks.map((hook) => hook.name).join(", ");
    const waiting = lag === 0 ? "" : ` ${countDeliveries(lag)} waiting.`;
    const goesOn = replies ? " Its responses go to the provider." : "";
    this.#say({ type: "ready", name, target: target.href, lag, replies }, () => [
      `Ready. Listening to ${of} as ${name}, for ${target.href}.${goesOn}${waiting}`,
    ]);
    if (this.#input.isInteractive) this.note("Keys: r again, o open, d details, Ctrl+C stop");
  }

  lost(): void {
    this.#say({ type: "lost" }, () => [
      "The connection was lost. What arrives meanwhile comes afterwards.",
    ]);
  }

  back(awayMs: number, { lag }: Status): void {
    const awaySeconds = Math.round(awayMs / 1_000);
    this.#say({ type: "back", awaySeconds, lag }, () => [
      `Back after ${describeSeconds(awaySeconds)}. ${countDeliveries(lag)} waiting.`,
    ]);
  }

  handed(frame: Frame, response: TargetResponse): void {
    this.last = { frame, response };
    const { status, ms } = response;
    this.#say({ type: "delivery", ...nameFrame(frame), status, ms }, () => {
      const color = status < 300 ? "green" : status < 400 ? "yellow" : "red";
      return [this.#describe(frame), paint(this.#input, color, String(status)), `${ms} ms`];
    });
  }

  held(frame: Frame, result: TargetResponse | Error, waitMs: number): void {
    const problem = describeResult(result);
    this.#say({ type: "held", ...nameFrame(frame), problem, waitMs }, () => [
      this.#describe(frame),
      paint(this.#input, "red", problem),
      `again in ${waitMs / 1_000} s`,
    ]);
  }

  /** A delivery whose body was to be fetched, and that someone deleted first. */
  passedOver(frame: Frame): void {
    this.#say({ type: "passed_over", ...nameFrame(frame) }, () => [
      this.#describe(frame),
      "passed over: it was deleted while it waited",
    ]);
  }

  /** The end of a command whose target doesn't take a delivery. */
  targetExit(frame: Frame, result: TargetResponse | Error): Exit {
    const target = addPath(this.#about.target, "").href;
    return new Exit(
      "target",
      `${target} didn't take delivery ${frame.deliveryId}: ${describeResult(result)}. ` +
        "Nothing is lost: the next start begins with it.",
    );
  }

  note(text: string): void {
    this.#input.output.note(plain(text));
  }

  showDetails({ frame, response }: Handed): void {
    const lines = [
      `${frame.method} ${frame.path} (${frame.bodyBytes} bytes)`,
      ...frame.headers.map(([name, value]) => `  ${name}: ${value}`),
      `→ ${response.status}`,
      ...response.headers.map(([name, value]) => `  ${name}: ${value}`),
      ...response.body.toString("utf8").slice(0, 2_000).split("\n"),
    ];
    for (const line of lines) this.note(line);
  }

  #describe(frame: Frame): string {
    const hook = this.#names.get(frame.hookId);
    const time = paint(this.#input, "gray", new Date().toTimeString().slice(0, 8));
    return [
      time,
      ...(this.#names.size > 1 && hook ? [hook] : []),
      frame.eventType ?? frame.method,
    ].join("  ");
  }

  #say(event: Readonly<Record<string, unknown>>, describe: () => readonly string[]): void {
    const { output } = this.#input;
    const isJson = wantsJson(this.#input);
    output.result(isJson ? JSON.stringify(event) : describe().join("  "));
  }
}

function nameFrame({ deliveryId, hookId, eventType }: Frame) {
  return { deliveryId, hookId, eventType };
}

function describeResult(result: TargetResponse | Error): string {
  if (!(result instanceof Error)) return `HTTP ${result.status}`;
  const code = "code" in result ? String(result.code) : result.name;
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (code === "TimeoutError" || code === "23") return "no response within 30 s";
  return code === "Error" ? result.message : code;
}

function countDeliveries(count: number): string {
  return count === 1 ? "1 delivery" : `${count.toLocaleString("en-US")} deliveries`;
}

/** "42 s", "6 min 2 s", "2 h 5 min". */
function describeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
