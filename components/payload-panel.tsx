"use client";

import { Braces, Check, ClipboardCopy } from "lucide-react";
import { HeaderList } from "./header-list.tsx";
import { copyText, type PayloadNodeView, valueText } from "./payload-rows.ts";
import { PayloadTree } from "./payload-tree.tsx";
import { TextBlock } from "./text-block.tsx";
import { Notice } from "./ui/notice.tsx";
import { safeBlock, safeText } from "./ui/safe-text.ts";
import { Tabs } from "./ui/tabs.tsx";
import { announce } from "./ui/toast.ts";
import { useCopy, writeClipboard } from "./ui/use-copy.ts";

export type PayloadPanelProps = {
  readonly body: {
    readonly tree: PayloadNodeView | null;
    readonly isTreeCut: boolean;
    readonly treeProblem: string | null;
    readonly fault: { readonly message: string; readonly before: string; readonly after: string } | null;
    readonly raw: {
      readonly form: "text" | "hex";
      readonly text: string;
      readonly isCut: boolean;
    } | null;
  };
  readonly headers: readonly (readonly [string, string])[];
  readonly areHeadersCut: boolean;
};

/** What arrived: as a tree to map from, as it was sent, and its headers. */
export function PayloadPanel({ body, headers, areHeadersCut }: PayloadPanelProps) {
  const tree = { id: "tree", title: "Payload", panel: <TreeView body={body} /> };
  const raw = { id: "raw", title: "Raw body", panel: <RawView raw={body.raw} /> };
  const headerTab = {
    id: "headers",
    title: `Headers (${headers.length})`,
    panel: (
      <div className="grid gap-3">
        <HeaderList headers={headers} />
        {areHeadersCut && (
          <Notice>There are more headers than this page shows. The API has all of them.</Notice>
        )}
      </div>
    ),
  };
  return <Tabs label="What arrived" tabs={[tree, raw, headerTab]} />;
}

function TreeView({ body: { tree, isTreeCut, treeProblem, fault } }: Pick<PayloadPanelProps, "body">) {
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
          This payload is large: only its beginning is shown here. Download the raw body to have all of it.
        </Notice>
      )}
      <PayloadTree
        root={tree}
        label="Payload"
        hint="Enter copies the name of a field, Ctrl+C its value."
        onPick={({ path }) => path !== null && copyAloud(`{{ ${path} }}`)}
        onCopy={(node) => copyAloud(copyText(node))}
        action={(node) => <CopyField node={node} />}
      />
    </div>
  );
}

/** Where the JSON breaks, and what stands around that place. */
function Fault({ message, before, after }: NonNullable<PayloadPanelProps["body"]["fault"]>) {
  return (
    <figure className="grid min-w-0 grid-cols-1 gap-1.5">
      <figcaption className="text-sm">{safeText(message)}</figcaption>
      <pre className="rounded-md bg-muted p-3 font-mono text-xs break-all whitespace-pre-wrap">
        {safeBlock(before)}
        <mark className="rounded-sm bg-negative-ground text-negative underline decoration-wavy">
          {after === "" ? "⏎" : safeBlock(after.slice(0, 1))}
        </mark>
        {safeBlock(after.slice(1))}
      </pre>
    </figure>
  );
}

/** By key: there is no button to say it. */
async function copyAloud(text: string | null) {
  if (text === null)
    return announce("This is longer than what is shown here. Download the raw body to have it.");
  announce((await writeClipboard(text)) ? `Copied ${text.slice(0, 200)}` : "Could not be copied");
}

function CopyField({ node }: { node: PayloadNodeView }) {
  const { path } = node;
  const value = copyText(node);
  return (
    <>
      {value !== null && (
        <CopyIcon text={value} label={`Copy value of ${path ?? "this field"}`} Icon={ClipboardCopy} />
      )}
      {path !== null && <CopyIcon text={`{{ ${path} }}`} label={`Copy {{ ${path} }}`} Icon={Braces} />}
    </>
  );
}

type CopyIconProps = { readonly text: string; readonly label: string; readonly Icon: typeof Braces };

/** For the mouse only: the keyboard has Enter and Ctrl+C on the line itself. */
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
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted-foreground hover:bg-card hover:text-foreground"
    >
      {outcome === "copied" ? <Check aria-hidden size={14} /> : <Icon aria-hidden size={13} />}
      <span aria-live="polite" className="sr-only">
        {outcome === "copied" && "Copied"}
        {outcome === "failed" && "Could not be copied"}
      </span>
    </button>
  );
}

function RawView({ raw }: { raw: PayloadPanelProps["body"]["raw"] }) {
  if (raw === null) return <p className="text-sm text-muted-foreground">The body is empty.</p>;
  const isText = raw.form === "text";
  return (
    <div className="grid grid-cols-1 gap-3">
      {!isText && <Notice>These bytes are not text, so they are shown as numbers.</Notice>}
      <TextBlock
        label="Raw body"
        text={raw.text}
        keepsLines={!isText}
        cutNote={
          raw.isCut ? "Only the beginning is shown here. Download the raw body to have all of it." : null
        }
      />
    </div>
  );
}
