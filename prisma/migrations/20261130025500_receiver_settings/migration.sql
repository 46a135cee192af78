-- Settings of receivers that aren't URLs, such as the name of an event bus. See
-- docs/decisions/actions/139-an-event-bus-gets-no-signature.md.
alter table subscriptions add column receiver json;
