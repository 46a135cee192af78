import type { ShownField } from "#lib/schema/shown-call.ts";

type FieldListProps = { readonly fields: readonly ShownField[]; readonly isRequest: boolean };

/** Fields with their types. Those of an object open below it. */
export function FieldList({ fields, isRequest }: FieldListProps) {
  return (
    <ul className="divide-y border-y">
      {fields.map((field) => (
        <li key={field.name} className="grid min-w-0 gap-0.5 py-2 text-sm">
          <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <code className="font-mono text-[0.8125rem] font-semibold [overflow-wrap:anywhere]">
              {field.name}
            </code>
            <span className="min-w-0 text-xs text-muted-foreground [overflow-wrap:anywhere]">
              {field.type}
              {isRequest && field.preset !== null && `, default ${field.preset}`}
            </span>
            {isRequest && field.isRequired && (
              <span className="text-xs font-medium text-caution">required</span>
            )}
          </p>
          {field.html !== "" && (
            <p
              className="docs-inline text-muted-foreground"
              // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, with HTML escaped
              dangerouslySetInnerHTML={{ __html: field.html }}
            />
          )}
          {field.fields.length > 0 && (
            <details className="min-w-0">
              <summary className="w-fit cursor-pointer rounded-sm text-xs font-medium">
                Fields of <code className="font-mono">{field.name}</code>
              </summary>
              <div className="mt-2 border-l-2 pl-3">
                <FieldList fields={field.fields} isRequest={isRequest} />
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
