import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RecreateRule, RegistrationStatus } from "#lib/schema/receive/registration.ts";
import { ConnectDialog } from "./connect-dialog.tsx";
import type { ConnectFormProps } from "./connect-form.tsx";
import { DisconnectDialog, type RemoveRegistration } from "./disconnect-dialog.tsx";
import { MissingTypes } from "./missing-types.tsx";
import { RegistrationFacts } from "./registration-facts.tsx";

type RegistrationView = {
  readonly status: RegistrationStatus;
  readonly summary: string;
  readonly reason: string | null;
  readonly resource: string;
  readonly eventTypes: readonly string[];
  readonly recreate: RecreateRule;
  readonly url: string | null;
  readonly isAdopted: boolean;
  readonly checkedAt: Date | null;
  readonly revivedAt: Date | null;
  readonly credentialId: string | null;
  /** "2 types that your actions use aren't registered at Stripe". Null: none. */
  readonly missing: string | null;
  readonly missingTypes: readonly string[];
};

type RegistrationProps = {
  readonly hookId: string;
  readonly nowMs: number;
  readonly registration: RegistrationView | null;
  /** Null: the provider's API can't register webhooks. */
  readonly source: {
    readonly name: string;
    readonly origin: string;
    readonly credentialHelp: string;
    readonly typesHelp: string;
    readonly secret: "theirs" | "ours" | "app";
    readonly listsEvents: boolean;
    readonly resource: { readonly label: string; readonly help: string } | null;
    readonly whyNot: string | null;
    readonly lastCredentialId: string | null;
    readonly credentials: readonly { readonly id: string; readonly name: string }[];
  } | null;
  readonly register: ConnectFormProps["register"];
  readonly remove: RemoveRegistration;
};

/** The hook's webhook at its provider: its state, and how to connect it. */
export function Registration({ source, registration, ...props }: RegistrationProps) {
  const { hookId } = props;
  if (source === null)
    return (
      <EmptyState title="Register it manually">
        <p>
          Catchment can't create webhooks at this provider. Copy the hook's catch URL into the
          provider's settings instead.
        </p>
        <Link href={`/hooks/${hookId}`} className={buttonClasses("secondary")}>
          Open the hook
        </Link>
      </EmptyState>
    );
  const isChanging = registration?.status === "connecting" || registration?.status === "removing";
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <RefreshWhile isOn={isChanging} />
      {registration === null ? (
        <New source={source} {...props} />
      ) : (
        <Registered source={source} registration={registration} {...props} />
      )}
    </Card>
  );
}

type Source = NonNullable<RegistrationProps["source"]>;
type PartProps = Omit<RegistrationProps, "source" | "registration"> & { readonly source: Source };

function New({ hookId, source, register }: PartProps) {
  const { name, whyNot, secret } = source;
  return (
    <>
      <div className="grid gap-1">
        <h2 className="font-semibold">Register at {name}</h2>
        <p className="text-sm text-muted-foreground">
          Catchment creates the webhook at {name}, or adopts the one with this hook's URL. Then it
          checks every few minutes that it still exists, points here, and is enabled.{" "}
          {secretWords[secret]}
        </p>
      </div>
      {whyNot !== null ? (
        <Notice tone="caution">{whyNot}</Notice>
      ) : (
        <Allowed to="hooks:write">
          <NoCredential source={source} />
          <div>
            <ConnectDialog
              hookId={hookId}
              source={source}
              registration={null}
              register={register}
            />
          </div>
        </Allowed>
      )}
    </>
  );
}

type RegisteredProps = PartProps & { readonly registration: RegistrationView };

function Registered({ source, registration, ...props }: RegisteredProps) {
  const { hookId, nowMs, register, remove } = props;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <State registration={registration} nowMs={nowMs} />
        {source.whyNot === null && (
          <Allowed to="hooks:write">
            <div className="flex flex-wrap gap-2">
              <ConnectDialog
                hookId={hookId}
                source={source}
                registration={registration}
                register={register}
              />
              <DisconnectDialog hookId={hookId} name={source.name} remove={remove} />
            </div>
          </Allowed>
        )}
      </div>
      {source.whyNot === null ? (
        <Allowed to="hooks:write">
          <NoCredential source={source} />
        </Allowed>
      ) : (
        <Notice tone="caution">{source.whyNot}</Notice>
      )}
      {registration.reason !== null && (
        <Notice tone={isBroken(registration.status) ? "negative" : "caution"}>
          <span className="wrap-anywhere">{safeText(registration.reason)}</span>
        </Notice>
      )}
      <MissingTypes hookId={hookId} registration={registration} register={register} />
      <Revived hookId={hookId} registration={registration} nowMs={nowMs} source={source} />
      <RegistrationFacts registration={registration} source={source} />
    </>
  );
}

/** Nothing can be chosen in the dialog yet. */
function NoCredential({ source: { origin, credentials, credentialHelp } }: { source: Source }) {
  if (credentials.length > 0) return null;
  return (
    <Notice>
      First{" "}
      <Link href="/credentials" className="underline underline-offset-4">
        save a credential
      </Link>{" "}
      for {origin}. {credentialHelp}
    </Notice>
  );
}

const secretWords = {
  theirs: "Its signing secret goes straight into the hook, and no one sees it.",
  ours: "It sets the hook's signing secret there, or makes one, and no one sees it.",
  app: "Deliveries are signed with the secret of your app, which this hook has.",
} as const;

function isBroken(status: RegistrationStatus): boolean {
  return status === "missing" || status === "failing";
}

const icons = {
  connecting: [LoaderCircle, "animate-spin text-muted-foreground motion-reduce:animate-none"],
  registered: [CircleCheck, "text-positive"],
  missing: [CircleX, "text-negative"],
  failing: [CircleX, "text-negative"],
  removing: [LoaderCircle, "animate-spin text-muted-foreground motion-reduce:animate-none"],
} as const;

type StateProps = { readonly registration: RegistrationView; readonly nowMs: number };

function State({ registration: { status, summary, checkedAt }, nowMs }: StateProps) {
  const [Icon, look] = icons[status];
  return (
    <div className="flex min-w-0 flex-1 basis-64 items-start gap-2.5">
      <Icon aria-hidden size={18} className={`mt-0.5 shrink-0 ${look}`} />
      <div className="grid min-w-0 gap-0.5">
        <h2 className="font-semibold wrap-anywhere">{safeText(summary)}</h2>
        {checkedAt !== null && (
          <p className="text-sm text-muted-foreground">
            Checked <RelativeTime at={checkedAt} nowMs={nowMs} />
          </p>
        )}
      </div>
    </div>
  );
}

type RevivedProps = Pick<RegisteredProps, "hookId" | "nowMs" | "registration" | "source">;

function Revived({ hookId, nowMs, registration: { revivedAt }, source }: RevivedProps) {
  if (revivedAt === null) return null;
  return (
    <p className="text-sm">
      {source.name} had taken it away, and Catchment enabled it again{" "}
      <RelativeTime at={revivedAt} nowMs={nowMs} />.{" "}
      {source.listsEvents && (
        <Link href={`/hooks/${hookId}/backfill`} className="underline underline-offset-4">
          Search for missing events
        </Link>
      )}
    </p>
  );
}
