import { Circle, CircleCheck } from "lucide-react";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";

type SendingSteps = {
  readonly eventType: boolean;
  readonly subscription: boolean;
  readonly event: boolean;
  readonly portalLink: boolean;
};

/** The way to a first event in a customer's system. Each step is ticked once it was taken. */
export function SendingChecklist({ steps }: { steps: SendingSteps }) {
  const done = list.filter(({ step }) => steps[step]).length;
  return (
    <Card className="grid max-w-3xl min-w-0 grid-cols-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-4 pb-2">
        <h2 className="font-semibold">Send webhooks to your customers</h2>
        <span className="text-sm text-muted-foreground tabular-nums">
          {done} of {list.length} done
        </span>
      </div>
      <ol className="divide-y">
        {list.map(({ step, title, text, href }) => (
          <li key={step} className="flex items-start gap-3 px-5 py-3 text-sm">
            {steps[step] ? (
              <CircleCheck aria-label="Done" size={18} className="mt-px shrink-0 text-positive" />
            ) : (
              <Circle
                aria-label="To do"
                size={18}
                className="mt-px shrink-0 text-muted-foreground"
              />
            )}
            <span className="grid min-w-0 gap-0.5">
              <Link href={href} className="font-medium underline-offset-4 hover:underline">
                {title}
              </Link>
              <span className="text-muted-foreground">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const list = [
  {
    step: "eventType",
    title: "Describe an event type",
    text: "Its name, what it means, an example, and a schema. Your customers choose from these.",
    href: "/event-types/new",
  },
  {
    step: "subscription",
    title: "Add a subscription",
    text: "A receiver URL and the event types that it gets. Start with a receiver of your own.",
    href: "/subscriptions/new",
  },
  {
    step: "event",
    title: "Send an event",
    text: "Fill in the form, or test a subscription, and see the receiver's response.",
    href: "/events/new",
  },
  {
    step: "portalLink",
    title: "Give a customer a portal link",
    text: "On the page of a recipient. Its people add URLs and see every attempt themselves.",
    href: "/recipients",
  },
] as const;
