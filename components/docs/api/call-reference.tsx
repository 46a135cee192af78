import type { ShownCall } from "#lib/schema/shown-call.ts";
import { CodeSamples } from "./code-samples.tsx";
import { FieldList } from "./field-list.tsx";
import type { TrialCommands } from "./trial-commands.ts";
import { TryCall } from "./try-call.tsx";

type CallReferenceProps = {
  readonly calls: readonly ShownCall[];
  /** The address of the page. */
  readonly page: string;
  readonly commands: TrialCommands;
};

/** Every call of a page: what it takes and returns, samples, errors, and a way to try it. */
export function CallReference({ calls, page, commands }: CallReferenceProps) {
  return (
    <div className="grid min-w-0 grid-cols-1">
      <h2 id="calls" className="scroll-mt-20 text-lg font-semibold tracking-tight">
        Calls
      </h2>
      {calls.map((call) => (
        <Call key={call.id} call={call} page={page} commands={commands} />
      ))}
    </div>
  );
}

type CallProps = Omit<CallReferenceProps, "calls"> & { readonly call: ShownCall };

function Call({ call, page, commands }: CallProps) {
  const { id, method, path, summary, html, scope, given, returned, errors } = call;
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 scroll-mt-16 grid-cols-1 gap-4 border-b py-8 last:border-b-0"
    >
      <div className="grid min-w-0 gap-1.5">
        <h3 id={`${id}-title`} className="text-base font-semibold">
          <a href={`#${id}`}>{summary}</a>
        </h3>
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-1 text-sm">
          <span className={`method method-${method}`}>{method}</span>
          <code className="min-w-0 font-mono [overflow-wrap:anywhere]">/api/v1{path}</code>
        </p>
        {html !== "" && (
          <p
            className="docs-inline max-w-3xl text-sm leading-6"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, with HTML escaped
            dangerouslySetInnerHTML={{ __html: html }}
          />
        )}
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-6 xl:grid-cols-2">
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          {given.map(({ title, fields }) => (
            <div key={title} className="grid min-w-0 grid-cols-1 gap-1.5">
              <h4 className="text-sm font-medium">{title}</h4>
              <FieldList fields={fields} isRequest />
            </div>
          ))}
          <div className="grid min-w-0 grid-cols-1 gap-1.5">
            <h4 className="text-sm font-medium">Needs</h4>
            <p className="text-sm">
              A token with the scope <code className="font-mono text-[0.8125rem]">{scope}</code>
            </p>
          </div>
          <Errors errors={errors} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-4">
          <CodeSamples label={summary} samples={call.samples} />
          <Response call={call} />
          {call.sameAs !== null && (
            <p className="text-sm text-muted-foreground">
              Its fields are described at{" "}
              <a href={`#${call.sameAs.id}`} className="underline underline-offset-4">
                {call.sameAs.summary}
              </a>
              .
            </p>
          )}
          {returned.length > 0 && (
            <details className="min-w-0">
              <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium">
                Fields of the response
              </summary>
              <div className="mt-2">
                <FieldList fields={returned} isRequest={false} />
              </div>
            </details>
          )}
          {call.trial !== null && <TryCall trial={call.trial} page={page} commands={commands} />}
        </div>
      </div>
    </section>
  );
}

function Response({ call }: { call: ShownCall }) {
  const { status, response, summary } = call;
  if (response === null)
    return (
      <p className="rounded-md border px-3 py-2 text-sm">
        <span className="font-medium">{status}</span>
        <span className="text-muted-foreground">, without a body</span>
      </p>
    );
  return (
    <div className="overflow-hidden rounded-md border">
      <p className="border-b bg-card px-3 py-2 text-xs font-medium">
        {status} <span className="text-muted-foreground">Response</span>
      </p>
      <section
        aria-label={`Response: ${summary}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
        tabIndex={0}
        className="max-h-80 overflow-auto bg-muted p-3"
      >
        <pre className="font-mono text-xs leading-5">{response}</pre>
      </section>
    </div>
  );
}

function Errors({ errors }: Pick<ShownCall, "errors">) {
  return (
    <details className="min-w-0">
      <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium">Errors</summary>
      <ul className="mt-2 divide-y border-y text-sm">
        {errors.map(({ code, status, title }) => (
          <li key={code} className="flex min-w-0 flex-wrap gap-x-2 py-1">
            <span className="w-8 tabular-nums">{status}</span>
            <a
              href={`/docs/errors#${code}`}
              className="font-mono text-[0.8125rem] underline underline-offset-4"
            >
              {code}
            </a>
            <span className="text-muted-foreground">{title}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
