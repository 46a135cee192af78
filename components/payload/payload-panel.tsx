"use client";

import { Braces, Check, ClipboardCopy } from "lucide-react";
import { announce } from "#components/ui/feedback/toast.ts";
import { HeaderList } from "#components/ui/layout/header-list.tsx";
import { Tabs } from "#components/ui/layout/tabs.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { BodyBlock } from "#components/ui/text/body-block.tsx";
import { safeBlock, safeText } from "#components/ui/text/safe-text.ts";
import { useCopy, writeClipboard } from "#components/ui/use-copy.ts";
import { describeSize } from "#lib/base/describe-size.ts";
import { copyText, type PayloadNodeView, valueText } from "./payload-rows.ts";
import { PayloadTree } from "./payload-tree.tsx";

type PayloadPanelProps = {
  readonly body: {
    readonly tree: PayloadNodeView | null;
    readonly isTreeCut: boolean;
    readonly treeProblem: string | null;
    /** The reason why only the start, or nothing, is stored. Null: everything is stored. */
    readonly notStored: string | null;
    readonly fault: {
      readonly message: string;
      readonly before: string;
      readonly after: string;
    } | null;
    readonly raw: {
      readonly form: "text" | "hex";
      readonly text: string;
      readonly isCut: boolean;
    } | null;
  };
  /** Null: it has no headers. */
  readonly headers: readonly (readonly [string, string])[] | null;
  readonly areHeadersCut: boolean;
  /** Parameters of the URL. Empty if it had none. */
  readonly query: readonly (readonly [string, string])[];
  /** Parts of a multipart form. Empty for other bodies. */
  readonly parts: readonly PartView[];
};

/**
 * The payload as a tree for mapping, as received, and with its headers. A payload that can't be
 * parsed opens as received.
 */
export function PayloadPanel(props: PayloadPanelProps) {
  const { body, headers, areHeadersCut, query, parts } = props;
  const tree = {
    id: "tree",
    title: "Payload",
    panel: <TreeView body={body} />,
  };
  const raw = { id: "raw", title: "Raw body", panel: <RawView body={body} /> };
  const partTab = {
    id: "parts",
    title: `Parts (${parts.length})`,
    panel: <PartList parts={parts} />,
  };
  const queryTab = {
    id: "query",
    title: `Query (${query.length})`,
    panel: <HeaderList headers={query} />,
  };
  const headerTab = {
    id: "headers",
    title: `Headers (${headers?.length ?? 0})`,
    panel: (
      <div className="grid gap-3">
        <HeaderList headers={headers ?? []} />
        {areHeadersCut && (
          <Notice>Only some headers are shown. Use the API to get all of them.</Notice>
        )}
      </div>
    ),
  };
  const bodyTabs = body.tree === null ? [raw, tree] : [tree, raw];
  const tabs = [
    ...bodyTabs,
    ...(parts.length > 0 ? [partTab] : []),
    ...(query.length > 0 ? [queryTab] : []),
    ...(headers === null ? [] : [headerTab]),
  ];
  return <Tabs label="Payload received" tabs={tabs} />;
}

function TreeView({
  body: { tree, isTreeCut, treeProblem, fault },
}: Pick<PayloadPanelProps, "body">) {
  if (tree === null)
    return (
      <div className="grid grid-cols-1 gap-3">
        <Notice>{treeProblem}</Notice>
        {fault !== null && <Fault {...fault} />}
      </div>
    );
  if (tree.children.length === 0) return <p className="font-mono text-xs">{valueText(tree)}</p>;
  return (
    <div className="grid gap-3">
      {isTreeCut && (
        <Notice>
          This payload is large. Only the beginning is shown. Download the raw body to see all of
          it.
        </Notice>
      )}
      <PayloadTree
        root={tree}
        label="Payload"
        help="Enter copies the name of a field, Ctrl+C its value."
        onPick={({ path }) => path !== null && copyAloud(`{{ ${path} }}`)}
        onCopy={(node) => copyAloud(copyText(node))}
        action={(node) => <CopyField node={node} />}
      />
    </div>
  );
}

type PartView = {
  readonly name: string;
  /** Null: not a file. */
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly size: number;
  /** The start of the text. Empty if it isn't text. */
  readonly text: string;
};

function PartList({ parts }: { parts: readonly PartView[] }) {
  return (
    <ul className="grid gap-3">
      {[...parts.entries()].map(([index, part]) => (
        <li key={index} className="grid min-w-0 gap-1 rounded-md border p-3 text-sm">
          <span className="font-medium break-words">{safeText(part.name)}</span>
          <span className="text-xs break-words text-muted-foreground">
            {part.fileName !== null &&
              `File ${safeText(part.fileName === "" ? "without a name" : part.fileName)}, `}
            {part.contentType !== null && `${safeText(part.contentType)}, `}
            {describeSize(part.size)}
          </span>
          {part.text !== "" && (
            <span className="line-clamp-3 font-mono text-xs wrap-anywhere">
              {safeText(part.text)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The position where the JSON is invalid, with the surrounding text. */
function Fault({ message, before, after }: NonNullable<PayloadPanelProps["body"]["fault"]>) {
  return (
    <figure className="grid min-w-0 grid-cols-1 gap-1.5">
      <figcaption className="text-sm">{safeText(message)}</figcaption>
      <pre className="rounded-md bg-muted p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
        {safeBlock(before)}
        <mark className="rounded-sm bg-negative-ground text-negative underline decoration-wavy">
          {after === "" ? "⏎" : safeBlock(after.slice(0, 1))}
        </mark>
        {safeBlock(after.slice(1))}
      </pre>
    </figure>
  );
}

/** The result is shown, because keyboard users have no button that could show it. */
async function copyAloud(text: string | null) {
  if (text === null)
    return announce("This value is cut off. Download the raw body to see all of it.");
  announce((await writeClipboard(text)) ? `Copied ${text.slice(0, 200)}` : "Couldn't copy");
}

function CopyField({ node }: { node: PayloadNodeView }) {
  const { path } = node;
  const value = copyText(node);
  return (
    <>
      {value !== null && (
        <CopyIcon
          text={value}
          label={`Copy value of ${path ?? "this field"}`}
          Icon={ClipboardCopy}
        />
      )}
      {path !== null && (
        <CopyIcon text={`{{ ${path} }}`} label={`Copy {{ ${path} }}`} Icon={Braces} />
      )}
    </>
  );
}

type CopyIconProps = {
  readonly text: string;
  readonly label: string;
  readonly Icon: typeof Braces;
};

/** For the mouse only: the keyboard has Enter and Ctrl+C on the row itself. */
function CopyIcon({ text, label, Icon }: CopyIconProps) {
  const { outcome, copy } = useCopy();
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        void copy(text);
      }}
      aria-label={label}
      title={label}
      className={
        "inline-flex size-6 shrink-0 items-center justify-center rounded-md " +
        "text-muted-foreground hover:bg-card hover:text-foreground"
      }
    >
      {outcome === "copied" ? <Check aria-hidden size={14} /> : <Icon aria-hidden size={13} />}
      <span aria-live="polite" className="sr-only">
        {outcome === "copied" && "Copied"}
        {outcome === "failed" && "Couldn't copy"}
      </span>
    </button>
  );
}

function RawView({ body: { raw, notStored } }: Pick<PayloadPanelProps, "body">) {
  if (raw === null && notStored !== null) return <Notice>{notStored}</Notice>;
  if (raw === null) return <p className="text-sm text-muted-foreground">The body is empty.</p>;
  const isText = raw.form === "text";
  return (
    <div className="grid grid-cols-1 gap-3">
      {notStored !== null && <Notice>{notStored}</Notice>}
      {!isText && <Notice>This body is binary, so it is shown as bytes.</Notice>}
      <BodyBlock
        label="Raw body"
        text={raw.text}
        keepsLines={!isText}
        cutNote={
          raw.isCut ? "Only the beginning is shown. Download the raw body to see all of it." : null
        }
      />
    </div>
  );
}
